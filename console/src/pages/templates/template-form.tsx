import { Stack, Textarea, TextInput } from '@mantine/core'
import { TemplateSave } from '@tocsin/contract'
import { FormFoot } from '../../forms/form-foot.tsx'
import { issuesIn } from '../../forms/issues-in.ts'
import { SchemaFields } from '../../forms/schema-fields.tsx'
import { useForm } from '../../forms/use-form.ts'
import { Section } from '../../parts/page.tsx'
import { GroupsField } from './groups-field.tsx'
import { RulesField } from './rules-field.tsx'
import { inputsOf, payloadOf, type Values, withInputs } from './values.ts'
import { WizardPreview } from './wizard-preview.tsx'

type TemplateFormProps = {
  project: string
  initial: Values
  verb: string
  save: (values: Values) => Promise<unknown>
}

export function TemplateForm({ project, initial, verb, save }: TemplateFormProps) {
  const form = useForm<Values>({
    initial: {
      meta: initial.meta,
      schema: initial.schema,
      groups: initial.groups,
      topics: initial.topics,
      rules: initial.rules,
    },
    check: (values) => issuesIn(TemplateSave, payloadOf(project, values)),
    save,
  })
  const { values, set, errorOf } = form
  const { meta, schema, groups, topics, rules } = values
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack gap="lg">
        <Section title="Template">
          <Stack gap="md">
            <TextInput
              label="Title"
              value={meta.title}
              onChange={(event) => set('meta', { ...meta, title: event.currentTarget.value })}
              error={errorOf('meta.title')}
            />
            <Textarea
              label="Description"
              autosize
              minRows={2}
              value={meta.description}
              onChange={(event) => set('meta', { ...meta, description: event.currentTarget.value })}
              error={errorOf('meta.description')}
            />
          </Stack>
        </Section>
        <Section title="What people choose" about="Topics, in groups. Each topic stands for one or more rules below.">
          <GroupsField
            groups={groups}
            topics={topics}
            onGroups={(next) => set('groups', next)}
            onTopics={(next) => set('topics', next)}
            errorOf={errorOf}
          />
        </Section>
        <Section title="What people fill in">
          <SchemaFields
            label="Values"
            about="Rules read them as {{inputs.name}}, such as the wallet to watch."
            value={inputsOf(schema)}
            onChange={(inputs) => set('schema', withInputs(schema, inputs))}
            errorOf={(name) => errorOf(`schema.${name}`)}
          />
        </Section>
        <Section
          title="Rules"
          about="A rule binds a topic to a trigger: with which inputs, on which conditions, how often."
        >
          <RulesField
            project={project}
            rules={rules}
            topics={topics}
            inputs={Object.keys(inputsOf(schema))}
            onChange={(next) => set('rules', next)}
            errorOf={errorOf}
          />
        </Section>
        <WizardPreview values={values} />
        <FormFoot failure={form.failure} isSaving={form.isSaving} verb={verb} />
      </Stack>
    </form>
  )
}
