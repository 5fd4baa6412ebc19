// `npm run check`: types, lint, unused code. Every commit must pass it.
import { check } from './test/check.ts';

if (!(await check())) process.exitCode = 1;
