// `npm run dashboard > dashboard.json`: a dashboard of the app's metrics, to import into Grafana 10 or newer.
import { ROWS } from './dashboard/panels.ts';
import { toGrafana } from './dashboard/to-grafana.ts';

process.stdout.write(`${JSON.stringify(toGrafana(ROWS), null, 2)}\n`);
