// `npm run check`: types, lint, unused code. What every commit passes.
import { check } from './test/check.ts';

if (!(await check())) process.exitCode = 1;
