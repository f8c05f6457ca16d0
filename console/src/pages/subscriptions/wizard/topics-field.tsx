import { Checkbox, Input, Stack, Text } from '@mantine/core'
import type { Template } from '../model/subscription.ts'
import classes from './wizard.module.css'

type TopicsFieldProps = {
  template: Template
  topics: string[]
  onChange: (topics: string[]) => void
  error: string | undefined
}

/** Topics by group. One whose rules have no trigger yet cannot be chosen. */
export function TopicsField({ template, topics, onChange, error }: TopicsFieldProps) {
  const groups = [...template.groups, { name: '', meta: { title: 'Other', description: '' } }]
  const known = new Set(template.groups.map(({ name }) => name))
  const isIn = (group: string, name: string) => (name === '' ? !known.has(group) : group === name)
  return (
    <Input.Wrapper error={error}>
      <Checkbox.Group value={topics} onChange={onChange}>
        <Stack gap="lg">
          {groups.map(({ name, meta }) => {
            const own = template.topics.filter(({ group }) => isIn(group, name))
            if (own.length === 0) return null
            return (
              <fieldset key={name} className={classes.group}>
                <legend>{meta.title}</legend>
                {meta.description !== '' && (
                  <Text size="sm" c="dimmed">
                    {meta.description}
                  </Text>
                )}
                <Stack gap="xs" mt="xs">
                  {own.map((topic) => (
                    <TopicBox key={topic.name} topic={topic} isBound={isBound(template, topic.name)} />
                  ))}
                </Stack>
              </fieldset>
            )
          })}
        </Stack>
      </Checkbox.Group>
    </Input.Wrapper>
  )
}

function TopicBox({ topic: { name, meta }, isBound }: { topic: Template['topics'][number]; isBound: boolean }) {
  return (
    <Checkbox
      value={name}
      label={meta.title}
      description={isBound ? meta.description : 'Not ready yet: nothing stands behind this topic.'}
      disabled={!isBound}
    />
  )
}

function isBound({ rules }: Template, name: string): boolean {
  return rules.some(({ topic, deprecated, issue }) => topic === name && !deprecated && issue === undefined)
}
