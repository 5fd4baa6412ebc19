// What Prometheus itself says of the alert rules and the metrics.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { runToEnd, startChild } from '@assistant-bridge/sandbox/child-processes.ts';
import { PROMTOOL, requireProgram } from '@assistant-bridge/sandbox/system-programs.ts';
import { describe, expect, it } from 'vitest';
import { ownFolder } from '../own-folder.ts';
import { aMetrics } from './a-metrics.ts';

const RULES = fileURLToPath(new URL('../../scripts/deploy/alert-rules.yaml', import.meta.url));

const folder = ownFolder('promtool');

const promtool = (...args: string[]) => runToEnd(requireProgram(PROMTOOL), args);

/** A value for each minute, or other interval: `1x10` is 1 for ten more minutes, `0+2x10` two more each minute, `_x5` nothing for five. */
type Series = Record<string, string>;

/** The jobs for which this alert is raised at a moment. */
async function findRaised(alertname: string, evalTime: string, series: Series, interval = '1m'): Promise<string[]> {
  const file = join(folder, `${alertname}.json`);
  const inputs = Object.entries(series).map(([name, values]) => ({ series: name, values }));
  // Expects none, so that promtool prints those that there are.
  const check = { eval_time: evalTime, alertname, exp_alerts: [] };
  const test = { interval, input_series: inputs, alert_rule_test: [check] };
  writeFileSync(file, JSON.stringify({ rule_files: [RULES], evaluation_interval: interval, tests: [test] }));
  const { status, stdout, stderr } = await promtool('test', 'rules', file);
  const raised = [...(stdout + stderr).matchAll(/^ +Labels:\{(.*)\}$/gm)].map(([, labels = '']) => labels);
  if (status !== 0 && raised.length === 0) throw new Error(stderr);
  return raised.map((labels) => /job="([^"]*)"/.exec(labels)?.[1] ?? 'none');
}

describe('promtool', () => {
  it('accepts the alert rules', async () => {
    const { status, stdout, stderr } = await promtool('check', 'rules', RULES);

    expect(stdout + stderr).toMatch(/SUCCESS: \d+ rules found/);
    expect(status).toBe(0);
  });

  it('accepts the configuration of the Prometheus beside Compose', async () => {
    const { status, stdout, stderr } = await promtool('check', 'config', RULES.replace('alert-rules', 'prometheus'));

    expect(stdout + stderr).toContain('SUCCESS');
    expect(status).toBe(0);
  });

  it('has nothing to say about the metrics but for three names of Node’s own', async () => {
    const metrics = aMetrics();
    const linter = startChild(requireProgram(PROMTOOL), ['check', 'metrics'], { stdio: 'pipe' });
    linter.stdin?.end(await metrics.read());
    if (!linter.stderr) throw new Error('promtool has no output');

    const said = (await text(linter.stderr)).split('\n').filter(Boolean);

    expect(said.map((line) => line.split(' ')[0])).toEqual([
      'nodejs_active_handles_total',
      'nodejs_active_requests_total',
      'nodejs_active_resources_total',
    ]);
  });
});

describe('an alert', () => {
  const up = (job: string, instance: string) => `assistant_bridge_store_up{job="${job}",instance="${instance}"}`;

  it('is raised for an installation that is gone while another one is up', async () => {
    const series = { [up('gone', 'a')]: '1x10 _x60', [up('here', 'b')]: '1x70' };

    expect(await findRaised('AssistantBridgeGone', '10m', series)).toEqual([]);
    expect(await findRaised('AssistantBridgeGone', '20m', series)).toEqual(['gone']);
  });

  it('is raised where no installation was ever seen', async () => {
    expect(await findRaised('AssistantBridgeGone', '5m', {})).toEqual(['none']);
  });

  it('is raised for an installation that lost a replica while another one gained one', async () => {
    const series = {
      [up('less', 'a')]: '1x120',
      [up('less', 'b')]: '1x60 _x60',
      [up('more', 'c')]: '1x120',
      [up('more', 'd')]: '_x60 1x60',
    };

    expect(await findRaised('AssistantBridgeReplicaMissing', '80m', series)).toEqual(['less']);
  });

  it('is raised for a replica that has lost its connection of Socket Mode, and for none that never had one', async () => {
    const of = (job: string) => `assistant_bridge_slack_connections{job="${job}",instance="a"}`;
    const series = { [of('lost')]: '1x10 0x60', [of('replaced')]: '1x10 2x1 1x60', [of('requests')]: '0x70' };

    expect(await findRaised('AssistantBridgeSlackNotConnected', '10m', series)).toEqual([]);
    expect(await findRaised('AssistantBridgeSlackNotConnected', '20m', series)).toEqual(['lost']);
  });

  it('is raised for a store that is down while another one is up', async () => {
    const series = { [up('down', 'a')]: '0x20', [up('fine', 'b')]: '1x20' };

    expect(await findRaised('AssistantBridgeStoreDown', '10m', series)).toEqual(['down']);
  });

  const memory = (job: string) => `assistant_bridge_redis_memory_bytes{job="${job}",instance="a"}`;
  const limit = (job: string) => `assistant_bridge_redis_memory_limit_bytes{job="${job}",instance="a"}`;

  it('is raised for a Redis that is four fifths full', async () => {
    const series = {
      [memory('full')]: '81x60',
      [limit('full')]: '100x60',
      [memory('empty')]: '79x60',
      [limit('empty')]: '100x60',
    };

    expect(await findRaised('AssistantBridgeRedisFills', '30m', series)).toEqual(['full']);
  });

  it('is raised two weeks before a Redis is full', async () => {
    const WEEK = 7 * 24;
    const series = {
      // From 40 to 60 % within a week: full after two more.
      [memory('grows')]: `40000+${20_000 / WEEK}x${WEEK}`,
      [limit('grows')]: `95000x${WEEK}`,
      [memory('slow')]: `55000+${5_000 / WEEK}x${WEEK}`,
      [limit('slow')]: `95000x${WEEK}`,
      [memory('new')]: `0+${40_000 / WEEK}x${WEEK}`,
      [limit('new')]: `95000x${WEEK}`,
    };

    expect(await findRaised('AssistantBridgeRedisWillFill', '7d', series, '1h')).toEqual(['grows']);
  });

  it('is raised for one workspace near Slack’s limit, over all replicas, and not for two together', async () => {
    const delivered = (job: string, workspace: string, instance = 'a') =>
      `assistant_bridge_slack_deliveries_total{job="${job}",instance="${instance}",workspace="${workspace}"}`;
    const series = {
      [delivered('near', 'one', 'a')]: '0+210x120',
      [delivered('near', 'one', 'b')]: '0+210x120',
      [delivered('below', 'one')]: '0+390x120',
      [delivered('two', 'one')]: '0+210x120',
      [delivered('two', 'other')]: '0+210x120',
    };

    expect(await findRaised('AssistantBridgeSlackSendsTooMuch', '30m', series)).toEqual([]);
    expect(await findRaised('AssistantBridgeSlackSendsTooMuch', '90m', series)).toEqual(['near']);
  });

  it('is raised for turns that nobody finishes while another installation finishes its own', async () => {
    const turns = (job: string) => `assistant_bridge_turns_total{job="${job}",instance="a",outcome="answered"}`;
    const open = (job: string) => `assistant_bridge_turns_unaccounted{job="${job}",instance="a"}`;
    const series = {
      [open('stuck')]: '3x60',
      [turns('stuck')]: '5x60',
      [open('busy')]: '3x60',
      [turns('busy')]: '0+2x60',
    };

    expect(await findRaised('AssistantBridgeTurnsUnaccounted', '40m', series)).toEqual(['stuck']);
  });

  it('is raised for a wrong signing secret while another installation accepts requests', async () => {
    const refused = (job: string) =>
      `assistant_bridge_slack_requests_refused_total{job="${job}",instance="a:9464",reason="signature"}`;
    const accepted = (job: string) =>
      `assistant_bridge_slack_events_total{job="${job}",instance="a:9464",type="message",result="acknowledged"}`;
    const series = { [refused('wrong')]: '0+1x60', [accepted('wrong')]: '0x60', [accepted('right')]: '0+9x60' };

    expect(await findRaised('AssistantBridgeSlackRefused', '30m', series)).toEqual(['wrong']);
  });
});
