// The thread in which long answers are rendered: see render-markdown.ts.
import { serveWork } from '../../run-in-worker.ts';
import { toSlackMarkdown } from './slack-markdown.ts';

serveWork(toSlackMarkdown);
