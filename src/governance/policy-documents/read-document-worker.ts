// The worker that reads long files: see import-document.ts.
import { serveWork } from '../../run-in-worker.ts';
import { readDocument } from './read-document.ts';

serveWork((text: string) => readDocument(text));
