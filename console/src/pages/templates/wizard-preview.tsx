import { Checkbox, Stack, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { Section } from '../../components/page.tsx'
import { readField } from '../../forms/schema-editor/schema-field.ts'
import { inputsOf, type Values } from './values.ts'

/** Shows the wizard as subscribers see it: topics, then the values that their rules need. */
export function WizardPreview({ values: { meta, groups, topics, rules, schema } }: { values: Values }) {
  const [changed, setChanged] = useState<Record<string, boolean>>({})
  const isChosen = (name: string, first: boolean) => changed[name] ?? first
  const chosen = new Set(
    topics.filter((topic) => isChosen(topic.name, topic.selectedByDefault)).map(({ name }) => name),
  )
  const active = rules.filter(({ topic, deprecated }) => chosen.has(topic) && !deprecated)
  const required = new Set(active.flatMap(({ requiredValues }) => requiredValues))
  const used = (name: string) => required.has(name) || JSON.stringify(active).includes(`inputs.${name}`)
  const asked = Object.entries(inputsOf(schema)).filter(([name]) => used(name))
  return (
    <Section title="Wizard preview" about="Choose topics to see which values they need. Nothing here is saved.">
      <Stack gap="md">
        <div>
          <Text fw={600}>{meta.title || 'Untitled'}</Text>
          <Text size="sm" c="dimmed">
            {meta.description}
          </Text>
        </div>
        {groups.map((group) => (
          <Stack key={group.name} gap="xs">
            <Title order={3} size="h5">
              {group.meta.title}
            </Title>
            {topics
              .filter((topic) => topic.group === group.name)
              .map(({ name, meta, selectedByDefault }) => (
                <Checkbox
                  key={name}
                  label={meta.title}
                  description={
                    meta.description ??
                    (rules.some(({ topic }) => topic === name) ? undefined : 'This topic has no rule.')
                  }
                  checked={isChosen(name, selectedByDefault)}
                  onChange={(event) => setChanged({ ...changed, [name]: event.currentTarget.checked })}
                />
              ))}
          </Stack>
        ))}
        {asked.length === 0 && (
          <Text size="sm" c="dimmed">
            {chosen.size === 0 ? 'No topic selected.' : 'These topics need no values.'}
          </Text>
        )}
        {asked.map(([name, schema]) => {
          const { type, description } = readField(schema)
          return (
            <TextInput
              key={name}
              label={name}
              description={description}
              placeholder={type}
              withAsterisk={required.has(name)}
              readOnly
            />
          )
        })}
        <Text size="sm" c="dimmed">
          Active rules: {active.length === 0 ? 'none' : active.map(({ id }) => id).join(', ')}
        </Text>
      </Stack>
    </Section>
  )
}
