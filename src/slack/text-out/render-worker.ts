// The worker that renders long answers: see render-markdown.ts.
import { serveWork } from '../../run-in-worker.ts';
import { type Rendering, toSlackMarkdown } from './render-markdown.ts';

serveWork(({ text, budget }: Rendering) => toSlackMarkdown(text, budget));
