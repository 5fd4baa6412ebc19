// The panels of the dashboard, row by row.

/** The value from which each colour is shown. */
type Levels = Partial<Record<'green' | 'orange' | 'red', number | null>>;

type Look = {
  /** Grafana's name; by default `short`, a plain number. */
  unit?: 'short' | 's' | 'bytes' | 'reqps';
  /** Of 24 columns. */
  width?: number;
  max?: number;
  levels?: Levels;
  /** Shown instead of the number. */
  words?: Record<number, string>;
};

/** `series`: the queries by their legends. `{{label}}` in a legend stands for that label's value. */
export type Panel = Look & {
  title: string;
  about: string;
  kind: 'number' | 'lines' | 'stacked';
  series: Record<string, string>;
};

const panel =
  (kind: Panel['kind']) =>
  (title: string, about: string, series: Panel['series'], look: Look = {}): Panel => ({
    ...{ title, about, kind, series },
    ...look,
  });
const number = panel('number');
const lines = panel('lines');
const stacked = panel('stacked');

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
      number(
        'Replicas',
        'Replicas that Prometheus reads.',
        { __auto: `count(${ours('store_up')})` },
        { levels: { red: null, green: 1 } },
      ),
      number(
        'Store',
        'Whether every replica reads its store.',
        { __auto: `min(${ours('store_up')})` },
        { levels: { red: null, green: 1 }, words: { 0: 'away', 1: 'up' } },
      ),
      number(
        'Waiting to be asked',
        'Turns that have not been asked yet.',
        { __auto: `max(${ours('queue_depth')})` },
        { levels: { green: null, orange: 50, red: 500 } },
      ),
      number(
        'Oldest open question',
        'Age of the oldest turn that is neither done nor waits for a sign-in. An alert above 60 s.',
        { __auto: `max(${ours('oldest_pending_seconds')})` },
        { unit: 's', levels: { green: null, orange: 60, red: 1200 } },
      ),
      number(
        'Acknowledged within, p99',
        'The aim is 0.5 s; Slack gives up after 3 s.',
        { __auto: quantile(0.99, 'ack_seconds', 'le', '5m') },
        { unit: 's', levels: { green: null, orange: 0.5, red: 2 } },
      ),
      number(
        'Dead letters',
        'Turns that were given up and are still kept. At most 100 are counted. node scripts/doctor.ts lists them.',
        { __auto: `max(${ours('dead_letters')})` },
        { levels: { green: null, orange: 1 } },
      ),
    ],
  },
  {
    title: 'Questions',
    panels: [
      stacked(
        'Turns that ended, per minute',
        'By how they ended. `duplicate`, questions that had been accepted before, is left out.',
        { '{{outcome}}': eachMinute('outcome', 'turns_total', 'outcome!="duplicate"') },
      ),
      stacked('Open turns by stage', '`waiting` for a time that a service asked for, `parked` for a sign-in.', {
        '{{stage}}': `max by (stage) (${ours('turns')})`,
      }),
      lines('Turns unaccounted for', 'Neither done nor waiting nor parked: 0 when nothing runs.', {
        unaccounted: `max(${ours('turns_unaccounted')})`,
        'not asked yet': `max(${ours('queue_depth')})`,
      }),
      lines(
        'From question to end',
        'Waits and sign-ins included.',
        {
          p50: quantile(0.5, 'turn_seconds'),
          p95: quantile(0.95, 'turn_seconds'),
          p99: quantile(0.99, 'turn_seconds'),
        },
        { unit: 's' },
      ),
      lines(
        'Age of the oldest open question',
        'Turns that wait for a sign-in are left out.',
        { oldest: `max(${ours('oldest_pending_seconds')})` },
        { unit: 's', width: 16, levels: { green: null, orange: 60 } },
      ),
    ],
  },
  {
    title: 'Slack',
    panels: [
      stacked(
        'Requests of Slack, per second',
        'By how they were answered.',
        {
          '{{result}}': eachSecond('result', 'slack_events_total'),
          'refused: {{reason}}': eachSecond('reason', 'slack_requests_refused_total'),
        },
        { unit: 'reqps' },
      ),
      stacked(
        'Requests of Slack by type, per second',
        'Every message counts, also those that are not for the assistant.',
        { '{{type}}': eachSecond('type', 'slack_events_total') },
        { unit: 'reqps' },
      ),
      lines(
        'Time to acknowledge',
        'The aim is 0.5 s at p99; Slack gives up after 3 s.',
        { p50: quantile(0.5, 'ack_seconds'), p99: quantile(0.99, 'ack_seconds') },
        { unit: 's', levels: { green: null, orange: 0.5 } },
      ),
      stacked(
        'Calls of the Web API, per second',
        'By method.',
        { '{{method}}': eachSecond('method', 'slack_api_total') },
        { unit: 'reqps' },
      ),
      stacked(
        'Calls that failed, per second',
        'By the code of the error.',
        { '{{code}}': eachSecond('code', 'slack_api_total', 'code!="ok"') },
        { unit: 'reqps' },
      ),
      lines('Waits that were asked for', 'Retry-After: how many a minute by who asked, and how long at p95.', {
        '{{upstream}}, a minute': eachMinute('upstream', 'retry_after_seconds_count'),
        '{{upstream}}, p95 in s': quantile(0.95, 'retry_after_seconds', 'le, upstream'),
      }),
    ],
  },
  {
    title: 'Other services',
    panels: [
      lines(
        'Circuit breakers',
        '0 closed, or not tried for five minutes, 1 half open, 2 open. While one is open, questions wait.',
        { '{{upstream}}': `max by (upstream) (${ours('breaker_state')})` },
        { max: 2 },
      ),
      stacked(
        'Sign-ins and refreshes of access tokens, per minute',
        'Sign-ins: `misconfigured` means that a value of the configuration is wrong; `wrong` names values that are refused. Refreshes: `ended` means that the person has to sign in again.',
        {
          'refresh: {{result}}': eachMinute('result', 'refresh_total'),
          'sign-in: {{result}}': eachMinute('result', 'sign_ins_total'),
          'wrong: {{variable}}': `max by (variable) (${ours('sign_in_values_wrong')})`,
        },
      ),
      lines(
        'Recovery, per minute',
        'Replicas that fell silent, lanes that the sweeper woke (their wake-up was lost, or they waited for a time), runs that were overtaken, messages that were one too many.',
        {
          'replica silent': allEachMinute('stalled_total'),
          'woken by the sweeper': allEachMinute('sweeper_rewakes_total'),
          'fence lost': allEachMinute('fence_lost_total'),
          'stray deleted': allEachMinute('orphans_deleted_total'),
        },
      ),
    ],
  },
  {
    title: 'Processes',
    panels: [
      lines('CPU', 'In cores, by replica.', {
        '{{instance}}': ofReplicas(rate('process_cpu_seconds_total{job="$job"}')),
      }),
      lines(
        'Memory',
        'Resident memory and used heap, by replica.',
        {
          '{{instance}} resident': ofReplicas('process_resident_memory_bytes{job="$job"}'),
          '{{instance}} heap': ofReplicas('nodejs_heap_size_used_bytes{job="$job"}'),
        },
        { unit: 'bytes' },
      ),
      lines(
        'Event loop',
        'The longest standstill lately, and p99 between two scrapes.',
        {
          '{{instance}} longest': ours('event_loop_lag_seconds'),
          '{{instance}} p99': ofReplicas('nodejs_eventloop_lag_p99_seconds{job="$job"}'),
        },
        { unit: 's' },
      ),
      stacked('Replicas by release', 'More than one release at a time is a rolling update, or one that did not end.', {
        '{{version}}': `count by (version) (${ours('build_info')})`,
      }),
      stacked('Feedback, per minute', 'What people thought of answers, and the reasons that they gave.', {
        '{{verdict}}': eachMinute('verdict', 'feedback_total', 'reason="none"'),
        '{{reason}}': eachMinute('reason', 'feedback_total', 'reason!="none"'),
      }),
      stacked('Connections to Slack, with Socket Mode', 'One per replica; two while one is replaced.', {
        '{{instance}}': `sum by (instance) (${ours('slack_connections')})`,
        '{{instance}}, connected again': `sum by (instance) (increase(${ours('slack_reconnects_total')}[$__rate_interval]))`,
      }),
      lines(
        'Memory of Redis',
        'What it uses, and what it may use. Past that it refuses every write.',
        { used: `max(${ours('redis_memory_bytes')})`, limit: `max(${ours('redis_memory_limit_bytes')})` },
        { unit: 'bytes' },
      ),
      lines(
        'Events of Slack within an hour, by workspace',
        'Past 30,000 Slack drops events. Messages between people in channels of the app count as well.',
        { '{{workspace}}': `sum by (workspace) (increase(${ours('slack_deliveries_total')}[1h]))` },
      ),
    ],
  },
];
