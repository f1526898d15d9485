import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium, type Page } from 'playwright';
import { inject } from 'vitest';
import { findChrome } from '../chrome.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export interface DemoOptions {
  width?: number;
  height?: number;
  /** A touchscreen in place of a mouse, as phones have. */
  touch?: boolean;
  /** As on a first visit, with the tour. */
  firstVisit?: boolean;
  /** The query string of the page, for example `?world=town`. */
  search?: string;
}

/** The built demo in a fresh browser, loaded, and all that goes wrong in it. */
export async function openDemo({
  width = 640,
  height = 560,
  touch = false,
  firstVisit = false,
  search = '',
}: DemoOptions): Promise<{ page: Page; messages: string[]; close(): Promise<void> }> {
  const browser = await chromium.launch(findChrome());
  const page = await browser.newPage({ viewport: { width, height }, hasTouch: touch, isMobile: touch });
  // A busy machine is no reason to fail.
  page.setDefaultTimeout(120_000);
  if (!firstVisit) await page.addInitScript(() => localStorage.setItem('three-scene-index.tour', 'seen'));
  const messages = collectMessages(page);
  try {
    await page.goto(inject('demoUrl') + search);
  } catch (error) {
    await browser.close();
    throw error;
  }
  return { page, messages, close: () => browser.close() };
}

/**
 * Collects all that goes wrong in a page: warnings, errors, exceptions, failed requests. A healthy page has none.
 * @param known What other libraries say of themselves.
 */
export function collectMessages(page: Page, known: readonly string[] = []): string[] {
  const messages: string[] = [];
  page.on('console', (message) => {
    const text = message.text();
    // Only some builds of Chromium give this hint, about the tests' own readback.
    if (['GPU stall due to ReadPixels', ...known].some((one) => text.includes(one))) return;
    if (['error', 'warning'].includes(message.type())) messages.push(`${message.type()}: ${text}`);
  });
  page.on('pageerror', (error) => messages.push(`exception: ${error.stack ?? error.message}`));
  page.on('requestfailed', (request) => messages.push(`${request.failure()?.errorText}: ${request.url()}`));
  page.on('response', (response) => {
    if (response.status() >= 400) messages.push(`HTTP ${response.status()}: ${response.url()}`);
  });
  return messages;
}

/** What axe has to say. The policy of the page forbids its script as an element, not to the debugger. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    interface Result {
      violations: { id: string; nodes: { html: string }[] }[];
    }
    const { axe } = window as unknown as { axe: { run(): Promise<Result> } };
    const result = await axe.run();
    return result.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  });
}
