export function isBrowserTest(path: string): boolean {
  return /\/tests\/(long\/)?browser\//.test(path.replaceAll('\\', '/'))
}
