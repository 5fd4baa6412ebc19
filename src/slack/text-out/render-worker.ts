// The worker that renders long answers: see render-markdown.ts.
import { serveWork } from '../../run-in-worker.ts';
import { toSlackMarkdown } from './slack-markdown.ts';

serveWork(toSlackMarkdown);
