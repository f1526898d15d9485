import { chromium, type Page } from 'playwright';
import { inject } from 'vitest';
import { findChrome } from '../chrome.mjs';
import { collectMessages } from './messages.js';

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

export interface Demo {
  page: Page;
  /** All that went wrong so far: warnings, errors, exceptions, failed requests. A healthy page leaves it empty. */
  messages: string[];
  close(): Promise<void>;
}

/** The built demo in a fresh browser, loaded. */
export async function openDemo({
  width = 1280,
  height = 720,
  touch = false,
  firstVisit = false,
  search = '',
}: DemoOptions = {}): Promise<Demo> {
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
