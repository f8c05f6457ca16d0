import { Stack, Text } from '@mantine/core'
import type { Issue } from '@tocsin/contract'
import { useApiList } from '../../data/lists.ts'
import { freeName } from '../../forms/free-name.ts'
import type { InvalidTextSlot } from '../../forms/invalid-text.ts'
import { Add } from './groups-field.tsx'
import { RuleCard } from './rule-card.tsx'
import { type Rule, replaced, type Topic } from './values.ts'

type RulesFieldProps = {
  project: string
  rules: Rule[]
  topics: Topic[]
  inputs: string[]
  onChange: (rules: Rule[]) => void
  onRemove: (at: number) => void
  errorOf: (path: string) => string | undefined
  issues: Issue[]
  /** Stores the invalid text of a field. */
  invalidTextAt: (path: string, label: string) => InvalidTextSlot
}

export function RulesField({
  project,
  rules,
  topics,
  inputs,
  onChange,
  onRemove,
  errorOf,
  issues,
  invalidTextAt,
}: RulesFieldProps) {
  const { items: triggers } = useApiList('listTriggers', { query: { project } })
  const add = () =>
    onChange([
      ...rules,
      {
        id: freeName('rule', (id) => rules.some((rule) => rule.id === id)),
        trigger: triggers[0]?.fullname ?? '',
        topic: topics[0]?.name ?? '',
        deprecated: false,
        requiredValues: [],
      },
    ])
  return (
    <Stack gap="md">
      {rules.length === 0 && (
        <Text c="dimmed" size="sm">
          No rules yet. A topic without a rule sends no alerts.
        </Text>
      )}
      {rules.map((rule, at) => (
        <RuleCard
          // biome-ignore lint/suspicious/noArrayIndexKey: the id of a rule can change
          key={at}
          rule={rule}
          triggers={triggers}
          topics={topics}
          inputs={inputs}
          onChange={(next) => onChange(replaced(rules, at, next))}
          onRemove={() => onRemove(at)}
          invalidTextAt={(field, label) =>
            invalidTextAt(`rules.${at}.${field}`, `${label} of ${rule.id || 'the rule'}`)
          }
          errorOf={(field) => errorOf(`rules.${at}.${field}`)}
          issues={issuesBelow(issues, `rules.${at}.`)}
        />
      ))}
      <Add verb="Add rule" onClick={add} />
    </Stack>
  )
}

/** The issues below a path, with their path from there. */
function issuesBelow(issues: Issue[], start: string): Issue[] {
  return issues.flatMap(({ path, message }) =>
    path.startsWith(start) ? [{ path: path.slice(start.length), message }] : [],
  )
}
