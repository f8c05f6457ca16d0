import { Stack, Text, TextInput } from '@mantine/core'
import { type Issue, TemplateSave } from '@tocsin/contract'
import { useState } from 'react'
import { Section } from '../../components/page.tsx'
import { useApiList } from '../../data/lists.ts'
import { FormFooter } from '../../forms/form-footer.tsx'
import {
  InvalidTextNotice,
  type InvalidTextSlot,
  type InvalidTexts,
  withInvalidText,
  withoutEntry,
} from '../../forms/invalid-text.tsx'
import { issuesIn } from '../../forms/issues-in.ts'
import { KeptFormNotice } from '../../forms/kept-form-notice.tsx'
import { LongText } from '../../forms/long-text.tsx'
import { freeName } from '../../forms/names.ts'
import { SchemaFields } from '../../forms/schema-editor/schema-fields.tsx'
import { useForm } from '../../forms/use-form.ts'
import { Add, GroupsField } from './groups-field.tsx'
import { RuleCard } from './rule-card.tsx'
import { inputsOf, type Rule, replaced, type Topic, type Values, withInputs } from './values.ts'
import { WizardPreview } from './wizard-preview.tsx'

type TemplateFormProps = {
  /** What the form edits. Its unsaved values are kept under this name. */
  subject: string
  project: string
  initial: Values
  /** The ETag of `initial`. */
  version?: string | undefined
  verb: string
  save: (values: Values, version: string | undefined) => Promise<unknown>
}

export function TemplateForm({ subject, project, initial, version, verb, save }: TemplateFormProps) {
  const [invalidTexts, setInvalidTexts] = useState<InvalidTexts>({})
  const [isStopped, setStopped] = useState(false)
  const form = useForm<Values>({
    version,
    initial: {
      meta: initial.meta,
      schema: initial.schema,
      groups: initial.groups,
      topics: initial.topics,
      rules: initial.rules,
    },
    check: (values) => {
      const texts = Object.entries(invalidTexts).map(([path, { problem }]) => ({ path, message: problem }))
      setStopped(texts.length > 0)
      return [...texts, ...issuesIn(TemplateSave, { project, ...values })]
    },
    save,
    keep: { name: `template ${subject}` },
  })
  const { values, set, errorOf } = form
  const invalidTextAt = (path: string, label: string): InvalidTextSlot => ({
    current: invalidTexts[path],
    set: (next) => setInvalidTexts((texts) => withInvalidText(texts, path, next && { label, ...next })),
  })
  const { meta, schema, groups, topics, rules } = values
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack gap="lg">
        <KeptFormNotice form={form} />
        <Section title="Template">
          <Stack gap="md">
            <TextInput
              label="Title"
              value={meta.title}
              onChange={(event) => set('meta', { ...meta, title: event.currentTarget.value })}
              error={errorOf('meta.title')}
            />
            <LongText
              label="Description"
              minRows={2}
              maxRows={16}
              value={meta.description}
              onText={(description) => set('meta', { ...meta, description })}
              error={errorOf('meta.description')}
            />
          </Stack>
        </Section>
        <Section title="Topics" about="Subscribers choose topics. Each topic has one or more rules below.">
          <GroupsField
            groups={groups}
            topics={topics}
            onGroups={(next) => set('groups', next)}
            onTopics={(next) => set('topics', next)}
            errorOf={errorOf}
          />
        </Section>
        <Section title="Values">
          <SchemaFields
            label="Values of the subscriber"
            about="Subscribers enter these values, such as the wallet to watch. Rules read them as {{inputs.name}}."
            value={inputsOf(schema)}
            onChange={(inputs) => set('schema', withInputs(schema, inputs))}
            errorOf={(name) => errorOf(`schema.${name}`)}
            invalidText={invalidTextAt('schema', 'Values of the subscriber')}
          />
        </Section>
        <Section title="Rules" about="A rule connects a topic to a trigger, with inputs, conditions and a policy.">
          <RulesField
            project={project}
            rules={rules}
            topics={topics}
            inputs={Object.keys(inputsOf(schema))}
            onChange={(next) => set('rules', next)}
            onRemove={(at) => {
              set('rules', rules.toSpliced(at, 1))
              setInvalidTexts((texts) => withoutEntry(texts, 'rules', at))
            }}
            errorOf={errorOf}
            issues={form.issues}
            invalidTextAt={invalidTextAt}
          />
        </Section>
        <WizardPreview values={values} />
        {isStopped && (
          <InvalidTextNotice
            title="Not saved. Correct or discard this text"
            texts={invalidTexts}
            discard={(path) => setInvalidTexts((texts) => withInvalidText(texts, path, undefined))}
          />
        )}
        <FormFooter failure={form.failure} isSaving={form.isSaving} verb={verb} />
      </Stack>
    </form>
  )
}

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

function RulesField({
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
