import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { JsonView } from '../../components/json-view.tsx'
import { Facts } from '../../components/page.tsx'
import { isObject } from '../../forms/json.ts'
import { conditionWords } from '../../sentences/condition-words.ts'
import type { Subscription } from './model/subscription.ts'

const overrideLabels = [
  ['title', 'Title of the message'],
  ['short', 'Short text'],
  ['long', 'Long text'],
  ['severity', 'Severity'],
  ['icon', 'Icon'],
  ['cover', 'Cover'],
  ['avatar', 'Avatar'],
] as const

/** The values, filters and texts that the subscription sets, in words. */
export function Settings({ subscription }: { subscription: Subscription }) {
  const { values, inputs, conditions, overrides } = subscription
  const given = Object.entries(values ?? inputs ?? {})
  const facts: [string, ReactNode][] = [
    ...given.map(([name, value]): [string, ReactNode] => [name, <Value key={name} value={value} />]),
    ...(isObject(conditions) ? [['Only if', conditionWords(conditions)] satisfies [string, string]] : []),
    ...overrideLabels.flatMap(([name, label]): [string, ReactNode][] => {
      const text = overrides?.[name]
      return text === undefined ? [] : [[label, <Template key={name} text={text} />]]
    }),
    ...(overrides?.links ?? []).map(({ title, url }): [string, ReactNode] => [
      `Link “${title}”`,
      <Template key={title} text={url} />,
    ]),
  ]
  if (facts.length === 0) return <Text c="dimmed">All alerts of the trigger. No filters are set.</Text>
  return <Facts facts={facts} />
}

function Value({ value }: { value: unknown }) {
  if (isPlain(value)) return <span className="mono">{String(value)}</span>
  if (Array.isArray(value) && value.every(isPlain)) return <span className="mono">{value.join(', ')}</span>
  return <JsonView value={value} label="value" />
}

function isPlain(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

/** A text with placeholders, as it was written. */
function Template({ text }: { text: string }) {
  return <span style={{ whiteSpace: 'pre-wrap' }}>{text}</span>
}
