import { isSegment } from '@tocsin/contract'

/** A name made from a title: what somebody would have typed himself. */
export function nameFrom(title: string): string {
  return title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64)
    .replace(/-+$/, '')
}

export function nameIssue(path: string, name: string): { path: string; message: string }[] {
  if (isSegment(name)) return []
  return [{ path, message: 'use lower case letters, digits and hyphens, and a letter or digit at both ends' }]
}
