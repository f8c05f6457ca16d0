import { Checkbox, Input, Stack, Text } from '@mantine/core'
import type { Template } from '../model/subscription.ts'
import classes from './wizard.module.css'

type TopicsFieldProps = {
  template: Template
  topics: string[]
  onChange: (topics: string[]) => void
  error: string | undefined
}

/** Topics by group. A topic without a working rule is disabled. */
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
                    <TopicBox key={topic.name} topic={topic} isAvailable={isAvailable(template, topic.name)} />
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

function TopicBox({ topic: { name, meta }, isAvailable }: { topic: Template['topics'][number]; isAvailable: boolean }) {
  return (
    <Checkbox
      value={name}
      label={meta.title}
      description={isAvailable ? meta.description : 'Not available: this topic has no working rule.'}
      disabled={!isAvailable}
    />
  )
}

function isAvailable({ rules }: Template, name: string): boolean {
  return rules.some(({ topic, deprecated, issue }) => topic === name && !deprecated && issue === undefined)
}
