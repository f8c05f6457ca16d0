import { closeSync, fstatSync, ftruncateSync, openSync, readFileSync } from 'node:fs'

const bytesMax = 10 * 1024 * 1024

/** Opens the server's log for appending. A log that is too long is truncated first. */
export function openLog(path: string): number {
  const file = openSync(path, 'a', 0o600)
  if (fstatSync(file).size > bytesMax) ftruncateSync(file)
  return file
}

export function closeLog(file: number): void {
  closeSync(file)
}

export function lastLines(path: string): string {
  return readFileSync(path, 'utf8').trimEnd().split('\n').slice(-5).join('\n')
}
