import { isObject } from '../../../../forms/json.ts'
import { canonical, type Definition } from '../../model/definition.ts'
import { type DiffLine, diffLines, nearChanges } from '../../model/line-diff.ts'
import classes from './definition-diff.module.css'

const signs = { same: ' ', added: '+', removed: '−' }

export function diffOf(before: Definition, after: Definition): DiffLine[] {
  return diffLines(linesOf(canonical(before)), linesOf(canonical(after)))
}

/** The difference of two definitions, with only the lines near a change. */
export function DefinitionDiff({ lines }: { lines: DiffLine[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard
    <pre className={classes.diff} tabIndex={0}>
      {nearChanges(lines).map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no id
        <span key={at} className={classes.line} data-kind={line?.kind ?? 'gap'}>
          {line ? `${signs[line.kind]} ${line.text}` : '⋯'}
        </span>
      ))}
    </pre>
  )
}

/** The lines of the JSON with sorted keys. Scripts are split into lines. */
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
