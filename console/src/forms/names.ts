import { isSegment } from '@tocsin/contract'

/** Makes a name from a title: “Big transfer” → “big-transfer”. */
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
  return [{ path, message: 'Use lower case letters, digits and hyphens. Begin and end with a letter or digit.' }]
}
