// The worker that renders long answers: see render-markdown.ts.
import { serveWork } from '../../run-in-worker.ts';
import type { Rendering } from './render-markdown.ts';
import { toSlackMarkdown } from './slack-markdown.ts';

serveWork(({ text, budget }: Rendering) => toSlackMarkdown(text, budget));
