import {
  Button,
  Checkbox,
  Group,
  MultiSelect,
  Paper,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import type { Issue } from '@tocsin/contract'
import { Notice } from '../../components/notice.tsx'
import type { Body } from '../../data/api.ts'
import { ConditionField } from '../../forms/conditions/condition-field.tsx'
import { filterNames } from '../../forms/conditions/condition-form.ts'
import type { InvalidTextSlot } from '../../forms/invalid-text.tsx'
import { isObject } from '../../forms/json.ts'
import { JsonField } from '../../forms/json-field.tsx'
import { type PolicyDraft, policyFields, policyTypes, readPolicy } from '../../layouts/policy/policy-draft.ts'
import { PolicyInputs } from '../../layouts/policy/policy-inputs.tsx'
import type { Rule, Topic } from './values.ts'

type RuleCardProps = {
  topics: Topic[]
  inputs: string[]
  errorOf: (path: string) => string | undefined
  rule: Rule
  triggers: Body<'listTriggers'>
  /** The issues of the rule, with their path in it. */
  issues: Issue[]
  onChange: (rule: Rule) => void
  onRemove: () => void
  invalidTextAt: (field: string, label: string) => InvalidTextSlot
}

export function RuleCard({
  rule,
  triggers,
  topics,
  inputs,
  onChange,
  onRemove,
  errorOf,
  issues,
  invalidTextAt,
}: RuleCardProps) {
  const put = (part: Partial<Rule>) => onChange({ ...rule, ...part })
  const names = triggers.map(({ fullname }) => fullname)
  return (
    <Paper withBorder p="md" component="section" aria-label={`Rule ${rule.id}`}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={3} size="h5">
            {rule.id || 'Rule'}
          </Title>
          <Button size="xs" variant="subtle" color="gray" onClick={onRemove} aria-label={`Remove rule ${rule.id}`}>
            Remove
          </Button>
        </Group>
        {rule.issue && (
          <Notice tone="warn" title="Nobody can subscribe to this rule">
            <Text size="sm">{rule.issue}</Text>
          </Notice>
        )}
        <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="xs">
          <TextInput
            label="Rule id"
            value={rule.id}
            onChange={(event) => put({ id: event.currentTarget.value })}
            error={errorOf('id')}
            spellCheck={false}
          />
          <Select
            label="Topic"
            data={topics.map(({ name, meta }) => ({ value: name, label: meta.title || name }))}
            value={rule.topic || null}
            onChange={(topic) => put({ topic: topic ?? '' })}
            error={errorOf('topic')}
            allowDeselect={false}
          />
          <Select
            label="Trigger"
            data={[...new Set([...names, ...(rule.trigger ? [rule.trigger] : [])])]}
            value={rule.trigger || null}
            onChange={(trigger) => put({ trigger: trigger ?? '' })}
            placeholder={names.length === 0 ? 'The project has no triggers' : 'Choose a trigger'}
            error={errorOf('trigger')}
            searchable
            allowDeselect={false}
          />
        </SimpleGrid>
        <MultiSelect
          label="Required values"
          data={[...new Set([...inputs, ...rule.requiredValues])]}
          value={rule.requiredValues}
          onChange={(requiredValues) => put({ requiredValues })}
          error={rule.requiredValues.map((_, at) => errorOf(`requiredValues.${at}`)).find(Boolean)}
          placeholder={inputs.length === 0 ? 'The template has no values' : undefined}
        />
        <JsonField
          label="Inputs of the trigger"
          description={'Such as {"decimals": 6, "owner": "{{inputs.wallet}}"}'}
          value={rule.inputs ?? undefined}
          accepts={isObject}
          refusal="Enter an object that maps inputs of the trigger to values."
          onChange={(value) => put({ inputs: isObject(value) ? value : undefined })}
          error={errorOf('inputs')}
          invalidText={invalidTextAt('inputs', 'Inputs of the trigger')}
          minHeight={40}
        />
        <ConditionField
          about="Conditions. A value may be a placeholder such as {{inputs.wallet}}. Without conditions, every match creates an alert."
          noun="condition"
          fields={filterNames(triggers.find(({ fullname }) => fullname === rule.trigger)?.filtersSchema)}
          placeholder="Field or path, such as token.symbol"
          hasTokens={false}
          value={rule.conditions}
          onChange={(conditions) => put({ conditions })}
          issues={issues.filter(({ path }) => path.startsWith('conditions'))}
          invalidText={invalidTextAt('conditions', 'Conditions')}
        />
        <PolicyField value={rule.policy ?? null} onChange={(policy) => put({ policy })} errorOf={errorOf} />
        <Checkbox
          label="Deprecated: not offered to new subscriptions"
          checked={rule.deprecated}
          onChange={(event) => put({ deprecated: event.currentTarget.checked })}
        />
      </Stack>
    </Paper>
  )
}

type PolicyFieldProps = {
  value: Rule['policy']
  onChange: (policy: Rule['policy']) => void
  errorOf: (path: string) => string | undefined
}

/** Edits the policy of a rule. */
function PolicyField({ value, onChange, errorOf }: PolicyFieldProps) {
  const draft = readPolicy(value)
  const put = (next: PolicyDraft) => onChange(next.type === 'filter' ? null : policyFields(next))
  return (
    <Group align="flex-start" gap="xs">
      <Select
        flex="2 1 200px"
        label="Policy"
        data={policyTypes}
        value={draft.type}
        onChange={(type) => type !== null && put({ ...draft, type })}
        error={errorOf('policy')}
        allowDeselect={false}
      />
      <PolicyInputs draft={draft} onChange={put} errorOf={(name) => errorOf(`policy.${name}`)} isRow />
    </Group>
  )
}
