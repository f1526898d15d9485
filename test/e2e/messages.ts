import type { Page } from 'playwright';

/** Collects all that goes wrong in a page: warnings, errors, exceptions, failed requests. A healthy page has none. */
export function collectMessages(page: Page): string[] {
  const messages: string[] = [];
  page.on('console', (message) => {
    // Only some builds of Chromium give this hint, about the tests' own readback.
    if (message.text().includes('GPU stall due to ReadPixels')) return;
    if (['error', 'warning'].includes(message.type())) messages.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => messages.push(`exception: ${error.stack ?? error.message}`));
  page.on('requestfailed', (request) => messages.push(`${request.failure()?.errorText}: ${request.url()}`));
  page.on('response', (response) => {
    if (response.status() >= 400) messages.push(`HTTP ${response.status()}: ${response.url()}`);
  });
  return messages;
}
