// The dashboard as JSON that Grafana 10 and newer import.
import type { Panel, ROWS } from './panels.ts';

const COLUMNS = 24;
const ROW_HEIGHT = 1;

/** The data source and the installation are chosen at the top. */
const DATA_SOURCE = { type: 'prometheus', uid: `$${'{datasource}'}` };
const JOBS = 'label_values(assistant_bridge_build_info, job)';
const CHOICE = { current: {}, hide: 0, includeAll: false, multi: false, options: [], regex: '' };

const CHOICES = [
  { ...CHOICE, name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus', refresh: 1 },
  {
    ...CHOICE,
    name: 'job',
    label: 'Installation',
    description: 'The job of Prometheus that reads the metrics of this installation',
    type: 'query',
    datasource: DATA_SOURCE,
    query: { query: JOBS, refId: 'job' },
    definition: JOBS,
    refresh: 2,
    sort: 1,
  },
];

export function toGrafana(rows: typeof ROWS) {
  return {
    title: 'Assistant Bridge',
    uid: 'assistant-bridge',
    description: 'Questions from Slack on their way to the assistant service and back.',
    tags: ['assistant-bridge'],
    schemaVersion: 39,
    version: 1,
    editable: true,
    graphTooltip: 1,
    refresh: '30s',
    timezone: 'browser',
    time: { from: 'now-6h', to: 'now' },
    templating: { list: CHOICES },
    annotations: { list: [] },
    links: [],
    panels: layOut(rows).map((panel, index) => ({ id: index + 1, ...panel })),
  };
}

/** Places panels from left to right, and begins a new line when one is full. */
function layOut(rows: typeof ROWS) {
  let y = 0;
  return rows.flatMap(({ title, panels }) => {
    const row = { type: 'row', title, gridPos: { h: ROW_HEIGHT, w: COLUMNS, x: 0, y }, collapsed: false, panels: [] };
    y += ROW_HEIGHT;
    let x = 0;
    const placed = panels.map((panel) => {
      const { h, w } = toSize(panel);
      if (x + w > COLUMNS) {
        x = 0;
        y += h;
      }
      const gridPos = { h, w, x, y };
      x += w;
      return { ...toPanel(panel), gridPos };
    });
    y += placed.at(-1)?.gridPos.h ?? 0;
    return [row, ...placed];
  });
}

function toSize({ kind, width }: Panel): { h: number; w: number } {
  return kind === 'number' ? { h: 4, w: width ?? 4 } : { h: 8, w: width ?? 8 };
}

function toPanel(panel: Panel) {
  const { title, about: description, kind, series } = panel;
  const targets = Object.entries(series).map(([legendFormat, expr], index) => ({
    refId: String.fromCharCode('A'.charCodeAt(0) + index),
    datasource: DATA_SOURCE,
    expr,
    legendFormat,
    ...(kind === 'number' && { instant: true }),
  }));
  const type = kind === 'number' ? 'stat' : 'timeseries';
  const form = kind === 'number' ? toNumber(panel) : toLines(panel);
  return { type, title, description, datasource: DATA_SOURCE, targets, ...form };
}

function toNumber({ unit = 'short', levels = {}, words }: Panel) {
  const mappings = words && [
    {
      type: 'value',
      options: Object.fromEntries(Object.entries(words).map(([value, text], index) => [value, { text, index }])),
    },
  ];
  return {
    fieldConfig: { defaults: { unit, thresholds: toThresholds(levels), ...(mappings && { mappings }) }, overrides: [] },
    options: {
      reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false },
      colorMode: 'background',
      graphMode: 'none',
    },
  };
}

function toLines({ kind, unit = 'short', levels, max }: Panel) {
  const isStacked = kind === 'stacked';
  const custom = {
    drawStyle: 'line',
    lineWidth: 1,
    fillOpacity: isStacked ? 30 : 5,
    showPoints: 'never',
    spanNulls: false,
    stacking: { mode: isStacked ? 'normal' : 'none', group: 'A' },
    ...(levels && { thresholdsStyle: { mode: 'line' } }),
  };
  const thresholds = levels && { thresholds: toThresholds(levels) };
  return {
    fieldConfig: { defaults: { unit, min: 0, ...(max && { max }), custom, ...thresholds }, overrides: [] },
    options: {
      legend: { displayMode: 'list', placement: 'bottom', showLegend: true },
      tooltip: { mode: 'multi', sort: 'desc' },
    },
  };
}

function toThresholds(levels: NonNullable<Panel['levels']>) {
  return { mode: 'absolute', steps: Object.entries(levels).map(([color, value]) => ({ color, value })) };
}
