import { showPosition, type Tag } from './template-tags.ts'

type Open = { tag: Tag; name: string; hasElse: boolean }

/** Finds the first `{{#…}}`, `{{else}}` or `{{/…}}` without a partner. */
export function blockProblem(tags: Tag[]): string | undefined {
  const open: Open[] = []
  for (const tag of tags) {
    const problem = step(open, tag)
    if (problem !== undefined) return problem
  }
  const last = open.at(-1)
  return last && `\`{{#${last.name}}}\` at ${showPosition(last.tag.at)} is never closed: add \`{{/${last.name}}}\``
}

function step(open: Open[], tag: Tag): string | undefined {
  const [sign, name] = signOf(tag.body)
  if (sign === 'else') return elseProblem(open.at(-1), tag)
  if (sign === '#' || sign === '^') open.push({ tag, name, hasElse: false })
  return sign === '/' ? closeProblem(open.pop(), tag, name) : undefined
}

function elseProblem(block: Open | undefined, { at, body }: Tag): string | undefined {
  if (!block) return `\`{{else}}\` at ${showPosition(at)} belongs to no block`
  if (block.hasElse) return `\`{{else}}\` at ${showPosition(at)} is the second of its block \`{{#${block.name}}}\``
  // Another `{{else}}` may follow `{{else if …}}`, but none may follow a bare `{{else}}`.
  block.hasElse = body === 'else' || body === '^'
  return undefined
}

function closeProblem(block: Open | undefined, { at }: Tag, name: string): string | undefined {
  if (!block) return `\`{{/${name}}}\` at ${showPosition(at)} closes no block`
  if (block.name === name) return undefined
  return `\`{{/${name}}}\` at ${showPosition(at)} does not close \`{{#${block.name}}}\` at ${showPosition(block.tag.at)}`
}

function signOf(body: string): [sign: string, name: string] {
  if (body === '^' || /^else\b/.test(body)) return ['else', '']
  const [, sign = '', name = ''] = /^([#^/])[>*]?\s*([^\s}]*)/.exec(body) ?? []
  return [sign, name.slice(0, 40)]
}
