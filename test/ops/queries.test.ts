import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ROWS } from '../../scripts/dashboard/panels.ts';
import { toGrafana } from '../../scripts/dashboard/to-grafana.ts';
import { aMetrics } from './a-metrics.ts';

type Rule = { alert: string; expr: string; labels: { severity: string }; annotations: Record<string, string> };
type Target = { expr: string; legendFormat: string };

const deploy = new URL('../../scripts/deploy/', import.meta.url);
const rules: Rule[] = parse(readFileSync(new URL('alert-rules.yaml', deploy), 'utf8')).groups[0].rules;
const dashboard = toGrafana(ROWS);
const panels = dashboard.panels.map((panel) => ({ targets: [] as Target[], ...panel }));
const queries = [
  ...rules.map(({ alert, expr }) => ({ from: alert, expr })),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ from: title, expr }))),
];

/** The labels of every series that a process shows once everything has happened in it. */
const series = new Map<string, Set<string>>();

beforeAll(async () => {
  const metrics = aMetrics();
  metrics.slackEvent('message', 'acknowledged', 0);
  metrics.slackDelivered('T0001');
  metrics.slackCalled('chat.update', 'ok');
  metrics.slackRefused('signature');
  metrics.askedToWait(1, 'slack');
  metrics.breakerChanged('slack', 'closed');
  metrics.signInChecked(['AUTH_CLIENT_ID']);
  for (const line of (await metrics.read()).split('\n')) {
    const [, name, labels = ''] = /^([a-z_][a-z0-9_]*)(?:\{(.*)\})? /.exec(line) ?? [];
    if (name) series.set(name, new Set([...labels.matchAll(/(\w+)="/g)].map(([, label = '']) => label)));
  }
});

/** Those that Prometheus adds. */
const ADDED = ['job', 'instance'];

function allLabels(): Set<string> {
  return new Set([...ADDED, 'le', ...[...series.values()].flatMap((labels) => [...labels])]);
}

const WORDS = new Set(['and', 'or', 'unless', 'by', 'on', 'sum', 'max', 'min', 'count', 'group']);

/** The series a query names: what is neither a function, a word of the language, a label nor a text. */
function readSeries(expr: string): string[] {
  const bare = expr.replace(/\{[^}]*\}|\[[^\]]*\]|\b(?:by|on) ?\([^)]*\)/g, ' ');
  return [...bare.matchAll(/[a-z_][a-z0-9_]*(?!\w|\s*\()/g)].map(([name]) => name).filter((name) => !WORDS.has(name));
}

describe('the queries of rules and panels', () => {
  it('name series that there are', () => {
    const missing = queries.flatMap(({ from, expr }) => {
      const named = readSeries(expr);
      return named.length === 0
        ? [`${from}: none`]
        : named.filter((name) => !series.has(name)).map((name) => `${from}: ${name}`);
    });

    expect(missing).toEqual([]);
  });

  it('select by labels that these have', () => {
    const missing = queries.flatMap(({ from, expr }) =>
      [...expr.matchAll(/([a-z_]+)\{([^}]*)\}/g)].flatMap(([, name = '', matchers = '']) =>
        [...matchers.matchAll(/(\w+)[=!]/g)]
          .filter(([, label = '']) => !ADDED.includes(label) && !series.get(name)?.has(label))
          .map(([, label]) => `${from}: ${name}{${label}}`),
      ),
    );

    expect(missing).toEqual([]);
  });

  it('group by labels that there are', () => {
    const grouped = queries.flatMap(({ expr }) => [...expr.matchAll(/\b(?:by|on) ?\(([^)]*)\)/g)]);
    const labels = grouped.flatMap(([, list = '']) => list.match(/\w+/g) ?? []);

    expect(labels.filter((label) => !allLabels().has(label))).toEqual([]);
  });
});

describe('each installation', () => {
  it('is told apart by its job in every rule', () => {
    const aggregations = rules.flatMap(({ alert, expr }) =>
      [...expr.matchAll(/\b(sum|max|min|count|group)\b(?! by \(job\b)/g)].map(([, word]) => `${alert}: ${word}`),
    );
    const joined = rules.filter(({ expr }) => /\bon ?\((?!job\b)/.test(expr));

    expect(aggregations).toEqual([]);
    expect(joined).toEqual([]);
  });

  it('has the dashboard to itself', () => {
    const shared = panels.flatMap(({ targets }) =>
      targets.flatMap(({ expr }) =>
        [...expr.matchAll(/\b((?:assistant_bridge|process|nodejs)_\w+)(?!\w|\{job="\$job")/g)].map(([, name]) => name),
      ),
    );

    expect(shared).toEqual([]);
    expect(dashboard.templating.list[1]).toMatchObject({
      name: 'job',
      query: { query: 'label_values(assistant_bridge_build_info, job)' },
    });
  });
});

describe('our metrics', () => {
  it('have a prefix of ours, apart from those of Node', () => {
    expect([...series.keys()].filter((name) => !/^(assistant_bridge|process|nodejs)_/.test(name))).toEqual([]);
  });

  it('name the release and its Node', () => {
    expect([...(series.get('assistant_bridge_build_info') ?? [])]).toEqual(['version', 'node']);
  });
});

describe('the alert rules', () => {
  it('each have a name of their own, a severity, a summary and what to do', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { alert, labels, annotations } of rules) {
      expect(labels.severity, alert).toMatch(/^(warning|critical)$/);
      expect(annotations.summary, alert).toMatch(/\.$/);
      expect(annotations.description?.length, alert).toBeGreaterThan(60);
    }
  });

  it.each([
    [
      'AssistantBridgeSlackRefused',
      /> 2 unless on \(job, instance\) .*assistant_bridge_slack_events_total\{type!="other",result="acknowledged"\}/,
    ],
    ['AssistantBridgeSignInMisconfigured', />= 2$/],
  ])('are not raised by one person with requests of their own: %s', (name, condition) => {
    expect(rules.find(({ alert }) => alert === name)?.expr).toMatch(condition);
  });

  it('never add up what all replicas read from the same store', () => {
    const shared =
      /\bsum\b(?: by \([^)]*\))? ?\(assistant_bridge_(turns|queue_depth|oldest_pending_seconds|turns_unaccounted|dead_letters)\b/;

    expect(queries.filter(({ expr }) => shared.test(expr))).toEqual([]);
  });
});

describe('the dashboard', () => {
  it('has panels with an id each, side by side', () => {
    const taken = new Set<string>();
    for (const { gridPos, title } of panels) {
      expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          expect(taken.has(`${x},${y}`), title).toBe(false);
          taken.add(`${x},${y}`);
        }
      }
    }
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  });

  it('shows every figure of ours', () => {
    const shown = new Set(panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => readSeries(expr))));
    const ours = [...series.keys()].filter((name) => !/^(process|nodejs)_|_(sum|count)$/.test(name));

    expect(ours.filter((name) => !shown.has(name))).toEqual([]);
  });

  it('names labels in its legends that there are', () => {
    const legends = panels.flatMap(({ targets }) => targets.map(({ legendFormat }) => legendFormat));
    const labels = legends.flatMap((legend) => [...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label));

    expect(labels.filter((label) => !allLabels().has(label))).toEqual([]);
  });

  it('asks for its data source instead of naming one', () => {
    const sources = JSON.stringify(panels).match(/"uid":"[^"]*"/g) ?? [];

    expect(dashboard.templating.list).toMatchObject([
      { name: 'datasource', type: 'datasource', query: 'prometheus' },
      { name: 'job' },
    ]);
    expect(new Set(sources)).toEqual(new Set([`"uid":"$${'{datasource}'}"`]));
  });
});
