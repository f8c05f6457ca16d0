import { ActionIcon, Autocomplete, Button, Group, SegmentedControl, Select, Stack, Text } from '@mantine/core'
import { Severity } from '@tocsin/contract'
import { IconPlus, IconTrash } from '../../components/icons.tsx'
import type { ConditionForm } from '../../forms/conditions/condition-form.ts'
import { ConditionGroup } from '../../forms/conditions/condition-group.tsx'
import { comparisonsIn, conditionOf, rootGroupOf } from '../../forms/conditions/condition-groups.ts'
import { isObject } from '../../forms/json.ts'
import { type Rule, rulesOf, severityOf } from './severity-rules.ts'

type SeverityFieldProps = {
  value: unknown
  /** The severity that applies if the field is empty. */
  fallback: string
  onChange: (severity: string | Rule[] | undefined) => void
  /** The issue at a path that begins with `severity`. */
  errorOf: (path: string) => string | undefined
}

/** The severity of an alert: a word or a template, or rules with conditions. */
export function SeverityField(props: SeverityFieldProps) {
  const { value, onChange } = props
  const rules = rulesOf(value)
  return (
    <Stack gap="xs">
      <SegmentedControl
        size="xs"
        aria-label="How the severity is chosen"
        value={rules ? 'rules' : 'one'}
        onChange={(view) => onChange(view === 'rules' ? [blankRule] : undefined)}
        data={[
          { value: 'one', label: 'One severity' },
          { value: 'rules', label: 'By conditions' },
        ]}
      />
      {rules ? <Rules {...props} rules={rules} /> : <OneSeverity {...props} />}
    </Stack>
  )
}

function OneSeverity({ value, fallback, onChange, errorOf }: SeverityFieldProps) {
  return (
    <Autocomplete
      label="Severity"
      description="One of info, warning and critical, or a template that renders to one of them."
      placeholder={fallback}
      data={Severity.options}
      filter={({ options }) => options}
      value={typeof value === 'string' ? value : ''}
      onChange={(text) => onChange(text || undefined)}
      error={errorOf('severity')}
    />
  )
}

const blankRule: Rule = { if: { all: [{ param: '', op: 'gt', value: '' }] }, then: 'critical' }

/** Names that every output of a policy has; others are typed. */
const names = ['policy.value', 'policy.changePercent', 'policy.count', 'policy.previous', 'policy.bound']

function Rules({ rules, onChange, errorOf }: SeverityFieldProps & { rules: readonly Rule[] }) {
  const { conditional, otherwise } = severityOf(rules)
  const put = (next: readonly Rule[], end: Severity) => onChange([...next, ...(end === 'info' ? [] : [{ then: end }])])
  return (
    <Stack gap="md" role="group" aria-label="Severity by conditions">
      <Text size="sm">The first rule whose conditions hold decides.</Text>
      {conditional.map((rule, at) => (
        <RuleRows
          // biome-ignore lint/suspicious/noArrayIndexKey: rules have no id
          key={at}
          rule={rule}
          number={at + 1}
          errorOf={errorOf}
          onChange={(next) => put(next ? conditional.with(at, next) : conditional.toSpliced(at, 1), otherwise)}
        />
      ))}
      <Group gap="xs" align="end">
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} />}
          onClick={() => put([...conditional, blankRule], otherwise)}
        >
          Add rule
        </Button>
      </Group>
      <Select
        label="Otherwise"
        data={Severity.options}
        value={otherwise}
        allowDeselect={false}
        onChange={(then) => put(conditional, severityNamed(then))}
        error={errorOf('severity')}
      />
    </Stack>
  )
}

type RuleProps = Pick<SeverityFieldProps, 'errorOf'> & {
  rule: Rule
  number: number
  onChange: (rule: Rule | undefined) => void
}

/** The conditions of one rule, as rows, and the severity if they hold. */
function RuleRows({ rule, number, errorOf, onChange }: RuleProps) {
  const conditions = isObject(rule.if) ? rule.if : {}
  const path = `severity.${number - 1}.if`
  const form: ConditionForm = {
    noun: 'condition',
    fields: names.map((name) => ({ name })),
    placeholder: 'raw.value or policy.value',
    hasTokens: false,
    issues: comparisonsIn(conditions, path).flatMap((row) =>
      ['', '.param', '.op', '.value', '.value.path'].flatMap((part) => {
        const message = errorOf(`${row.path}${part}`)
        return message === undefined ? [] : [{ path: `${row.path}${part}`, message }]
      }),
    ),
  }
  return (
    <Stack gap="xs" role="group" aria-label={`Rule ${number}`}>
      <Group gap="xs" justify="space-between" align="end">
        <Select
          label={`Severity of rule ${number}`}
          data={Severity.options}
          value={rule.then}
          allowDeselect={false}
          onChange={(then) => onChange({ ...rule, then: severityNamed(then) })}
        />
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={`Remove rule ${number}`}
          onClick={() => onChange(undefined)}
        >
          <IconTrash />
        </ActionIcon>
      </Group>
      <ConditionGroup
        group={rootGroupOf(conditions, path)}
        path={path}
        onChange={(join, parts) => onChange({ ...rule, if: conditionOf(join, parts) ?? { all: [] } })}
        form={form}
      />
    </Stack>
  )
}

function severityNamed(name: string | null): Severity {
  return Severity.options.find((option) => option === name) ?? 'info'
}
