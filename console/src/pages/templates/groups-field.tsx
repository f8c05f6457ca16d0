import { ActionIcon, Button, Checkbox, Paper, Group as Row, Stack, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '../../components/icons.tsx'
import { freeName } from '../../forms/names.ts'
import { type Group, replaced, type Topic } from './values.ts'

type ErrorOf = (path: string) => string | undefined
type GroupsFieldProps = {
  groups: Group[]
  topics: Topic[]
  onGroups: (groups: Group[]) => void
  onTopics: (topics: Topic[]) => void
  errorOf: ErrorOf
}

export function GroupsField({ groups, topics, onGroups, onTopics, errorOf }: GroupsFieldProps) {
  const addGroup = () => {
    const name = freeName('group', (name) => groups.some((group) => group.name === name))
    onGroups([...groups, { name, meta: { title: 'New group', description: '' } }])
  }
  const rename = (at: number, group: Group, name: string) => {
    onTopics(topics.map((topic) => (topic.group === group.name ? { ...topic, group: name } : topic)))
    onGroups(replaced(groups, at, { ...group, name }))
  }
  const remove = (at: number, group: Group) => {
    onTopics(topics.filter((topic) => topic.group !== group.name))
    onGroups(groups.toSpliced(at, 1))
  }
  return (
    <Stack gap="md">
      {groups.map((group, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: groups have no id, and their name can change
        <Paper key={at} withBorder p="md" component="section" aria-label={`Group ${group.meta.title}`}>
          <Stack gap="sm">
            <Row align="flex-start" gap="xs">
              <TextInput
                flex="2 1 160px"
                label="Group title"
                value={group.meta.title}
                onChange={(event) =>
                  onGroups(
                    replaced(groups, at, { ...group, meta: { ...group.meta, title: event.currentTarget.value } }),
                  )
                }
                error={errorOf(`groups.${at}.meta.title`)}
              />
              <TextInput
                flex="1 1 120px"
                label="Name"
                value={group.name}
                onChange={(event) => rename(at, group, event.currentTarget.value)}
                error={errorOf(`groups.${at}.name`)}
                spellCheck={false}
              />
              <Remove what={`group ${group.meta.title}`} onClick={() => remove(at, group)} />
            </Row>
            <TextInput
              label="Group description"
              value={group.meta.description}
              onChange={(event) =>
                onGroups(
                  replaced(groups, at, { ...group, meta: { ...group.meta, description: event.currentTarget.value } }),
                )
              }
            />
            <TopicsField group={group.name} topics={topics} onChange={onTopics} errorOf={errorOf} />
          </Stack>
        </Paper>
      ))}
      <Add verb="Add group" onClick={addGroup} />
    </Stack>
  )
}

type TopicsFieldProps = { group: string; topics: Topic[]; onChange: (topics: Topic[]) => void; errorOf: ErrorOf }

function TopicsField({ group, topics, onChange, errorOf }: TopicsFieldProps) {
  const add = () => {
    const name = freeName('topic', (name) => topics.some((topic) => topic.name === name))
    onChange([...topics, { name, group, selectedByDefault: false, meta: { title: 'New topic' } }])
  }
  return (
    <Stack gap="xs">
      {topics.map((topic, at) =>
        topic.group !== group ? null : (
          // biome-ignore lint/suspicious/noArrayIndexKey: topics have no id, and their name can change
          <Row key={at} gap="xs" align="flex-start">
            <TextInput
              size="xs"
              flex="2 1 140px"
              label="Topic title"
              value={topic.meta.title}
              onChange={(event) =>
                onChange(replaced(topics, at, { ...topic, meta: { ...topic.meta, title: event.currentTarget.value } }))
              }
              error={errorOf(`topics.${at}.meta.title`)}
            />
            <TextInput
              size="xs"
              flex="1 1 110px"
              label="Name"
              value={topic.name}
              onChange={(event) => onChange(replaced(topics, at, { ...topic, name: event.currentTarget.value }))}
              error={errorOf(`topics.${at}.name`) ?? errorOf(`topics.${at}.group`)}
              spellCheck={false}
            />
            <Checkbox
              size="xs"
              mt={30}
              label="Selected by default"
              checked={topic.selectedByDefault}
              onChange={(event) =>
                onChange(replaced(topics, at, { ...topic, selectedByDefault: event.currentTarget.checked }))
              }
            />
            <Remove what={`topic ${topic.meta.title}`} onClick={() => onChange(topics.toSpliced(at, 1))} />
          </Row>
        ),
      )}
      <Add verb="Add topic" onClick={add} />
    </Stack>
  )
}

function Remove({ what, onClick }: { what: string; onClick: () => void }) {
  return (
    <ActionIcon variant="subtle" color="gray" mt={26} aria-label={`Remove ${what}`} onClick={onClick}>
      <IconTrash size={16} />
    </ActionIcon>
  )
}

export function Add({ verb, onClick }: { verb: string; onClick: () => void }) {
  return (
    <Row>
      <Button size="xs" variant="default" leftSection={<IconPlus size={14} />} onClick={onClick}>
        {verb}
      </Button>
    </Row>
  )
}
