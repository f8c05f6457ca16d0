import { isObject } from '../../../../forms/json.ts'
import { canonical, type Definition } from '../../model/definition.ts'
import { type DiffLine, diffLines, nearChanges } from '../../model/line-diff.ts'
import classes from './definition-diff.module.css'

const signs = { same: ' ', added: '+', removed: '−' }

export function diffOf(before: Definition, after: Definition): DiffLine[] {
  return diffLines(linesOf(canonical(before)), linesOf(canonical(after)))
}

/** Two definitions line by line, with only the lines near a change. */
export function DefinitionDiff({ lines }: { lines: DiffLine[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must scroll by keyboard too
    <pre className={classes.diff} tabIndex={0}>
      {nearChanges(lines).map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
        <span key={at} className={classes.line} data-kind={line?.kind ?? 'gap'}>
          {line ? `${signs[line.kind]} ${line.text}` : '⋯'}
        </span>
      ))}
    </pre>
  )
}

/** Keys in order, and a script line by line: two forms of the same definition read the same. */
function linesOf(value: unknown): string[] {
  return JSON.stringify(sorted(value), null, 2)
    .split('\n')
    .flatMap((line) => line.split('\\n'))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]))
}
