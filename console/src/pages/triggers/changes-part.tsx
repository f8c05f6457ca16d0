import { Text } from '@mantine/core'
import { isObject } from '../../forms/json.ts'
import type { Builder } from './builder-state.ts'
import classes from './changes-part.module.css'
import { canonical, definitionOf, type Trigger } from './definition.ts'
import { diffLines, nearChanges } from './line-diff.ts'

const signs = { same: ' ', added: '+', removed: '−' }

/** What publishing would change, line by line. */
export function ChangesPart({ builder, published }: { builder: Builder; published: Trigger | undefined }) {
  if (!published) return <Text c="dimmed">It was never published, so all of it is new.</Text>
  const lines = diffLines(linesOf(canonical(definitionOf(published))), linesOf(canonical(builder.state.definition)))
  const added = lines.filter(({ kind }) => kind === 'added').length
  const removed = lines.filter(({ kind }) => kind === 'removed').length
  if (added + removed === 0) return <Text c="dimmed">Nothing: this is what is published.</Text>
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        Publishing adds {added} and removes {removed} lines.
      </Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to scroll by keyboard too */}
      <pre className={classes.diff} tabIndex={0}>
        {nearChanges(lines).map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
          <span key={at} className={classes.line} data-kind={line?.kind ?? 'gap'}>
            {line ? `${signs[line.kind]} ${line.text}` : '⋯'}
          </span>
        ))}
      </pre>
    </>
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
