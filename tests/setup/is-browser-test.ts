export function isBrowserTest(path: string): boolean {
  return path.replaceAll('\\', '/').includes('/tests/browser/')
}
