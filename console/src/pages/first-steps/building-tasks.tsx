import { Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { api, type Item } from '../../data/api.ts'
import { refresh, useChange } from '../../data/changes.ts'
import { useApiQuery } from '../../data/queries.ts'
import { useMe } from '../../data/session.ts'
import { rememberWorkspace } from '../../data/workspace.ts'
import { nameFrom, nameIssue } from '../../forms/names.ts'
import { useForm } from '../../forms/use-form.ts'
import { draftUnderFreeName, type NewTrigger, namedTrigger } from '../../layouts/new-trigger.ts'
import { accessFields } from '../../layouts/project/access.ts'

type TitleFormProps = {
  about: string
  label: string
  initial: string
  verb: string
  save: (name: string, title: string) => Promise<unknown>
}

/** Asks for a title only. The name is made from the title. */
function TitleForm({ about, label, initial, verb, save }: TitleFormProps) {
  const form = useForm({
    initial: { title: initial },
    check: ({ title }) =>
      nameIssue('title', nameFrom(title)).map(({ path }) => ({ path, message: 'Use letters or digits' })),
    save: ({ title }) => save(nameFrom(title), title),
  })
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack gap="sm">
        <Text size="sm">{about}</Text>
        <Group align="flex-end" gap="xs">
          <TextInput flex="1 1 220px" label={label} {...form.text('title')} />
          <Button type="submit" loading={form.isSaving}>
            {verb}
          </Button>
        </Group>
        <ErrorNotice error={form.failure} />
      </Stack>
    </form>
  )
}

export function WorkspaceTask() {
  const { data: me } = useMe()
  const create = useChange('saveWorkspace', { after: ({ fullname }) => rememberWorkspace(fullname) })
  const owner = me?.name?.split('@')[0] ?? ''
  return (
    <TitleForm
      about="A workspace holds your projects, sources and destinations. You can invite others later."
      label="Workspace title"
      initial={owner === '' ? 'My workspace' : `${owner} alerts`}
      verb="Create workspace"
      save={(fullname, title) =>
        create.mutateAsync({ fullname, body: { fullname, createOnly: true, meta: { title } } })
      }
    />
  )
}

export function ProjectTask({ workspace }: { workspace: string }) {
  const create = useChange('saveProject')
  return (
    <TitleForm
      about="A project holds related triggers. This project is private: only your workspace sees it."
      label="Project title"
      initial="First alerts"
      verb="Create project"
      save={(name, title) => {
        const fullname = `${workspace}.${name}`
        const meta = { title, description: '' }
        const body = { name, fullname, workspace, ...accessFields('personal'), meta }
        return create.mutateAsync({ fullname, body, ifNoneMatch: '*' })
      }}
    />
  )
}

const intervals = [
  { value: '10s', label: '10 s' },
  { value: '30s', label: '30 s' },
  { value: '1m', label: '1 min' },
]

export function TimerTask({ project: { fullname: project, workspace } }: { project: Item<'listProjects'> }) {
  const [interval, setInterval] = useState('10s')
  const { data, error } = useApiQuery('listCoreActions', {})
  const create = useCreateTimer()
  const action = data?.actions.find(({ type }) => type === 'timer')
  const make = () => {
    if (!action) return
    const { title, description, kind: _kind, type: _type, ...definition } = action
    create.mutate({
      ...{ project, workspace },
      ...definition,
      triggerSpec: { type: 'timer', interval },
      backend: { type: 'sdk' },
      meta: { title, description },
    })
  }
  return (
    <Stack gap="sm">
      <Text size="sm">
        A trigger defines what to watch. Most triggers watch a chain. This one is a timer. How often should it fire?
      </Text>
      <Group gap="xs">
        <SegmentedControl aria-label="Interval" data={intervals} value={interval} onChange={setInterval} />
        <Button onClick={make} loading={create.isPending} disabled={!action}>
          Create timer
        </Button>
      </Group>
      <ErrorNotice error={error ?? create.error} />
    </Stack>
  )
}

/** Creates the timer as `timer`, or as `timer-2`, `timer-3` … if the name is taken. */
function useCreateTimer() {
  return useMutation({
    mutationFn: createTimer,
    onSuccess: () => refresh(['triggers', 'projects']),
  })
}

async function createTimer(timer: NewTrigger): Promise<void> {
  const name = await draftUnderFreeName(api, 'timer', timer)
  await api.saveTrigger({ ...namedTrigger(name, timer), ifNoneMatch: '*' })
}
