// What the dashboard shows, row by row.

/** A line and its legend; `{{label}}` there is the label of each series. */
type Series = [legend: string, query: string];

/** From each value on, this colour. */
type Levels = [colour: 'green' | 'orange' | 'red', from: number | null][];

export type Panel = {
  title: string;
  about: string;
  kind: 'number' | 'lines' | 'stacked';
  /** As Grafana names it; `short` without, a plain number. */
  unit?: 'short' | 's' | 'bytes' | 'reqps';
  /** Of 24 columns. */
  width?: number;
  max?: number;
  levels?: Levels;
  /** In place of the number. */
  words?: Record<number, string>;
  series: Series[];
};

const ours = (name: string, labels = '') => `assistant_bridge_${name}{job="$job"${labels && `,${labels}`}}`;
const rate = (series: string) => `rate(${series}[$__rate_interval])`;
const eachSecond = (by: string, name: string, labels = '') => `sum by (${by}) (${rate(ours(name, labels))})`;
const eachMinute = (by: string, name: string, labels = '') => `${eachSecond(by, name, labels)} * 60`;
const allEachMinute = (name: string) => `sum(${rate(ours(name))}) * 60`;
const quantile = (share: number, name: string, by = 'le', window = '$__rate_interval') =>
  `histogram_quantile(${share}, sum by (${by}) (rate(${ours(`${name}_bucket`)}[${window}])))`;
const ofReplicas = (series: string) => `${series} and on (job, instance) ${ours('store_up')}`;

export const ROWS: { title: string; panels: Panel[] }[] = [
  {
    title: 'Now',
    panels: [
      {
        title: 'Replicas',
        about: 'Replicas that Prometheus reads.',
        kind: 'number',
        levels: [
          ['red', null],
          ['green', 1],
        ],
        series: [['__auto', `count(${ours('store_up')})`]],
      },
      {
        title: 'Store',
        about: 'Whether every replica reads its store.',
        kind: 'number',
        levels: [
          ['red', null],
          ['green', 1],
        ],
        words: { 0: 'away', 1: 'up' },
        series: [['__auto', `min(${ours('store_up')})`]],
      },
      {
        title: 'Waiting to be asked',
        about: 'Turns that have not been asked yet.',
        kind: 'number',
        levels: [
          ['green', null],
          ['orange', 50],
          ['red', 500],
        ],
        series: [['__auto', `max(${ours('queue_depth')})`]],
      },
      {
        title: 'Oldest open question',
        about: 'Age of the oldest turn that is neither done nor waits for a sign-in. An alert above 60 s.',
        kind: 'number',
        unit: 's',
        levels: [
          ['green', null],
          ['orange', 60],
          ['red', 1200],
        ],
        series: [['__auto', `max(${ours('oldest_pending_seconds')})`]],
      },
      {
        title: 'Acknowledged within, p99',
        about: 'The aim is 0.5 s; Slack gives up after 3 s.',
        kind: 'number',
        unit: 's',
        levels: [
          ['green', null],
          ['orange', 0.5],
          ['red', 2],
        ],
        series: [['__auto', quantile(0.99, 'ack_seconds', 'le', '5m')]],
      },
      {
        title: 'Dead letters',
        about:
          'Turns that were given up and are still kept. At most 100 are counted. node scripts/doctor.ts lists them.',
        kind: 'number',
        levels: [
          ['green', null],
          ['orange', 1],
        ],
        series: [['__auto', `max(${ours('dead_letters')})`]],
      },
    ],
  },
  {
    title: 'Questions',
    panels: [
      {
        title: 'Turns that ended, per minute',
        about: 'By how they ended. `duplicate`, questions that had been accepted before, is left out.',
        kind: 'stacked',
        series: [['{{outcome}}', eachMinute('outcome', 'turns_total', 'outcome!="duplicate"')]],
      },
      {
        title: 'Open turns by stage',
        about: '`waiting` for a time that a service asked for, `parked` for a sign-in.',
        kind: 'stacked',
        series: [['{{stage}}', `max by (stage) (${ours('turns')})`]],
      },
      {
        title: 'Turns unaccounted for',
        about: 'Neither done nor waiting nor parked: 0 when nothing runs.',
        kind: 'lines',
        series: [
          ['unaccounted', `max(${ours('turns_unaccounted')})`],
          ['not asked yet', `max(${ours('queue_depth')})`],
        ],
      },
      {
        title: 'From question to end',
        about: 'Waits and sign-ins included.',
        kind: 'lines',
        unit: 's',
        series: [
          ['p50', quantile(0.5, 'turn_seconds')],
          ['p95', quantile(0.95, 'turn_seconds')],
          ['p99', quantile(0.99, 'turn_seconds')],
        ],
      },
      {
        title: 'Age of the oldest open question',
        about: 'Turns that wait for a sign-in are left out.',
        kind: 'lines',
        unit: 's',
        width: 16,
        levels: [
          ['green', null],
          ['orange', 60],
        ],
        series: [['oldest', `max(${ours('oldest_pending_seconds')})`]],
      },
    ],
  },
  {
    title: 'Slack',
    panels: [
      {
        title: 'Requests of Slack, per second',
        about: 'By how they were answered.',
        kind: 'stacked',
        unit: 'reqps',
        series: [
          ['{{result}}', eachSecond('result', 'slack_events_total')],
          ['refused: {{reason}}', eachSecond('reason', 'slack_requests_refused_total')],
        ],
      },
      {
        title: 'Requests of Slack by type, per second',
        about: 'Every message counts, also those that are not for the assistant.',
        kind: 'stacked',
        unit: 'reqps',
        series: [['{{type}}', eachSecond('type', 'slack_events_total')]],
      },
      {
        title: 'Time to acknowledge',
        about: 'The aim is 0.5 s at p99; Slack gives up after 3 s.',
        kind: 'lines',
        unit: 's',
        levels: [
          ['green', null],
          ['orange', 0.5],
        ],
        series: [
          ['p50', quantile(0.5, 'ack_seconds')],
          ['p99', quantile(0.99, 'ack_seconds')],
        ],
      },
      {
        title: 'Calls of the Web API, per second',
        about: 'By method.',
        kind: 'stacked',
        unit: 'reqps',
        series: [['{{method}}', eachSecond('method', 'slack_api_total')]],
      },
      {
        title: 'Calls that failed, per second',
        about: 'By the code of the error.',
        kind: 'stacked',
        unit: 'reqps',
        series: [['{{code}}', eachSecond('code', 'slack_api_total', 'code!="ok"')]],
      },
      {
        title: 'Waits that were asked for',
        about: 'Retry-After: how many a minute by who asked, and how long at p95.',
        kind: 'lines',
        series: [
          ['{{upstream}}, a minute', eachMinute('upstream', 'retry_after_seconds_count')],
          ['{{upstream}}, p95 in s', quantile(0.95, 'retry_after_seconds', 'le, upstream')],
        ],
      },
    ],
  },
  {
    title: 'Other services',
    panels: [
      {
        title: 'Circuit breakers',
        about: '0 closed, or not tried for five minutes, 1 half open, 2 open. While one is open, questions wait.',
        kind: 'lines',
        max: 2,
        series: [['{{upstream}}', `max by (upstream) (${ours('breaker_state')})`]],
      },
      {
        title: 'Sign-ins and refreshes of access tokens, per minute',
        about:
          'Sign-ins: `misconfigured` means that a value of the configuration is wrong; `wrong` names values that are refused. Refreshes: `ended` means that the person has to sign in again.',
        kind: 'stacked',
        series: [
          ['refresh: {{result}}', eachMinute('result', 'refresh_total')],
          ['sign-in: {{result}}', eachMinute('result', 'sign_ins_total')],
          ['wrong: {{variable}}', `max by (variable) (${ours('sign_in_values_wrong')})`],
        ],
      },
      {
        title: 'Recovery, per minute',
        about:
          'Replicas that fell silent, lanes that the sweeper woke (their wake-up was lost, or they waited for a time), runs that were overtaken, messages that were one too many.',
        kind: 'lines',
        series: [
          ['replica silent', allEachMinute('stalled_total')],
          ['woken by the sweeper', allEachMinute('sweeper_rewakes_total')],
          ['fence lost', allEachMinute('fence_lost_total')],
          ['stray deleted', allEachMinute('orphans_deleted_total')],
        ],
      },
    ],
  },
  {
    title: 'Processes',
    panels: [
      {
        title: 'CPU',
        about: 'In cores, by replica.',
        kind: 'lines',
        series: [['{{instance}}', ofReplicas(rate('process_cpu_seconds_total{job="$job"}'))]],
      },
      {
        title: 'Memory',
        about: 'Resident memory and used heap, by replica.',
        kind: 'lines',
        unit: 'bytes',
        series: [
          ['{{instance}} resident', ofReplicas('process_resident_memory_bytes{job="$job"}')],
          ['{{instance}} heap', ofReplicas('nodejs_heap_size_used_bytes{job="$job"}')],
        ],
      },
      {
        title: 'Event loop',
        about: 'The longest standstill lately, and p99 between two scrapes.',
        kind: 'lines',
        unit: 's',
        series: [
          ['{{instance}} longest', ours('event_loop_lag_seconds')],
          ['{{instance}} p99', ofReplicas('nodejs_eventloop_lag_p99_seconds{job="$job"}')],
        ],
      },
      {
        title: 'Replicas by release',
        about: 'More than one release at a time is a rolling update, or one that did not end.',
        kind: 'stacked',
        series: [['{{version}}', `count by (version) (${ours('build_info')})`]],
      },
      {
        title: 'Feedback, per minute',
        about: 'What people thought of answers, and the reasons that they gave.',
        kind: 'stacked',
        series: [
          ['{{verdict}}', eachMinute('verdict', 'feedback_total', 'reason="none"')],
          ['{{reason}}', eachMinute('reason', 'feedback_total', 'reason!="none"')],
        ],
      },
      {
        title: 'Connections to Slack, with Socket Mode',
        about: 'One per replica; two while one is replaced.',
        kind: 'stacked',
        series: [
          ['{{instance}}', `sum by (instance) (${ours('slack_connections')})`],
          [
            '{{instance}}, connected again',
            `sum by (instance) (increase(${ours('slack_reconnects_total')}[$__rate_interval]))`,
          ],
        ],
      },
      {
        title: 'Memory of Redis',
        about: 'What it uses, and what it may use. Past that it refuses every write.',
        kind: 'lines',
        unit: 'bytes',
        series: [
          ['used', `max(${ours('redis_memory_bytes')})`],
          ['limit', `max(${ours('redis_memory_limit_bytes')})`],
        ],
      },
      {
        title: 'Events of Slack within an hour, by workspace',
        about: 'Past 30,000 Slack drops events. Messages between people in channels of the app count as well.',
        kind: 'lines',
        series: [['{{workspace}}', `sum by (workspace) (increase(${ours('slack_deliveries_total')}[1h]))`]],
      },
    ],
  },
];
