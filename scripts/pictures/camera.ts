// Takes pictures of pages, light and dark: of one page, or of several side by side, each with a caption.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';

/** Brings the page to what the picture shows, and resolves once it is visible. */
type Open = (page: Page) => Promise<unknown>;

const SCHEMES = ['light', 'dark'] as const;

const FOLDER = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));

/** Three of them are readable if a page shows the row 900 pixels wide. */
const STILL = { width: 400, height: 620 };

export function createCamera(browser: Browser) {
  return {
    async photograph(name: string, height: number, open: Open): Promise<void> {
      const page = await browser.newPage({ viewport: { width: 1280, height } });
      await open(page);
      for (const scheme of SCHEMES) save(name, scheme, await shoot(page, scheme));
      await page.close();
    },
    /** A row of stills. Each is taken when `still` is called; `save` saves all in one picture. */
    async startRow(name: string) {
      const page = await browser.newPage({ viewport: STILL, deviceScaleFactor: 1.5 });
      const stills: Still[] = [];
      return {
        async still(caption: string, open: Open): Promise<void> {
          await open(page);
          const [light, dark] = [await shoot(page, 'light'), await shoot(page, 'dark')];
          stills.push({ caption, light, dark });
        },
        async save(): Promise<void> {
          await page.goto('about:blank');
          await page.setViewportSize({ width: stills.length * (STILL.width + 16) - 16, height: STILL.height });
          for (const scheme of SCHEMES) {
            await page.setContent(buildRow(stills, scheme));
            await page.evaluate('document.fonts.ready');
            save(name, scheme, await page.screenshot({ fullPage: true, omitBackground: true }));
          }
          await page.close();
        },
      };
    },
  };
}

type Scheme = (typeof SCHEMES)[number];
type Still = Record<Scheme, Buffer> & { caption: string };

async function shoot(page: Page, colorScheme: Scheme): Promise<Buffer> {
  // Else the last button that was pressed would look hovered.
  await page.mouse.move(0, 0);
  await page.emulateMedia({ colorScheme });
  return page.screenshot({ animations: 'disabled' });
}

function save(name: string, scheme: Scheme, picture: Buffer): void {
  const file = `${name}-${scheme}.png`;
  writeFileSync(`${FOLDER}${file}`, picture);
  console.log(`docs/pictures/${file}, ${Math.ceil(picture.length / 1024)} KB`);
}

function buildRow(stills: readonly Still[], scheme: Scheme): string {
  const font = readFileSync(
    fileURLToPath(import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2')),
  );
  const figures = stills.map(
    (still, index) =>
      `<figure><img src="data:image/png;base64,${still[scheme].toString('base64')}" alt=""><figcaption><b>${index + 1}</b> ${still.caption}</figcaption></figure>`,
  );
  return `<!doctype html><style>
    @font-face { font-family: Inter; font-weight: 100 900; src: url(data:font/woff2;base64,${font.toString('base64')}); }
    body { display: flex; gap: 16px; margin: 0; font: 17px/1.35 Inter; color: ${scheme === 'dark' ? '#e6e9ec' : '#1b1f23'}; }
    figure { width: ${STILL.width}px; margin: 0; }
    img { display: block; width: 100%; border-radius: 10px; border: 1px solid ${scheme === 'dark' ? '#363c44' : '#cfd6d6'}; box-sizing: border-box; }
    figcaption { padding: 10px 4px 4px; }
    b { display: inline-block; min-width: 1.5em; line-height: 1.5em; margin-right: 4px; border-radius: 1em; background: #0b6862; color: #fff; text-align: center; }
  </style>${figures.join('')}`;
}
