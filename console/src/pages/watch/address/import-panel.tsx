import { Button, Group, List, Select, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { LinkText } from '../../../components/link-text.tsx'
import { Notice } from '../../../components/notice.tsx'
import { api } from '../../../data/api.ts'
import { refresh } from '../../../data/changes.ts'
import { useApiList } from '../../../data/lists.ts'
import { useWorkspace } from '../../../data/use-workspace.ts'
import { payloadOf } from '../model/drafts.ts'
import { findProject } from '../model/go-live.ts'
import { type Offer, titleOf } from '../model/offers.ts'
import classes from './address.module.css'
import type { Contract } from './contract.ts'

type ImportPanelProps = { contract: Contract; offers: Offer[] }

/** Makes one draft of each selected event and call: choose the project, review, create. */
export function ImportPanel({ contract: { makeDrafts }, offers }: ImportPanelProps) {
  const { fullname: workspace } = useWorkspace()
  const projects = useApiList('listProjects', { query: { workspace } })
  const [chosen, setChosen] = useState<string>()
  const project = chosen ?? projects.items[0]?.fullname
  const create = useMutation({
    mutationFn: async () => {
      const drafts = await makeDrafts(project ?? (await findProject(api, workspace)), offers)
      for (const draft of drafts) {
        const payload = payloadOf(draft)
        await api.saveTriggerDraft({ fullname: draft.fullname, body: payload, ifNoneMatch: '*' })
      }
      return drafts.map(({ fullname, meta }) => ({ fullname, title: meta.title }))
    },
    onSettled: () => refresh(['triggers', 'projects']),
  })
  if (create.data) return <Created workspace={workspace} drafts={create.data} />
  return (
    <section className={classes.selected} aria-label="Selected">
      <div>
        <Text fw={600}>{offers.length === 1 ? '1 selected' : `${offers.length} selected`}</Text>
        <Text size="sm" c="dimmed">
          {offers.map(({ name, type }) => `${titleOf(name)} (${type})`).join(', ')}
        </Text>
      </div>
      <Group gap="sm" align="flex-end">
        {project !== undefined && (
          <Select
            label="Project"
            data={projects.items.map(({ fullname, meta }) => ({ value: fullname, label: meta.title }))}
            value={project}
            onChange={(next) => next && setChosen(next)}
            allowDeselect={false}
          />
        )}
        <Button loading={create.isPending} onClick={() => create.mutate()}>
          {offers.length === 1 ? 'Create 1 draft' : `Create ${offers.length} drafts`}
        </Button>
      </Group>
      <ErrorNotice error={create.error} title="Not all drafts were created" />
    </section>
  )
}

function Created({ workspace, drafts }: { workspace: string; drafts: { fullname: string; title: string }[] }) {
  return (
    <Notice tone="good" title={drafts.length === 1 ? 'Draft created' : `${drafts.length} drafts created`}>
      <List size="sm" mt={4}>
        {drafts.map(({ fullname, title }) => (
          <List.Item key={fullname}>
            <LinkText to="/w/$workspace/triggers/$trigger/edit" params={{ workspace, trigger: fullname }}>
              {title}
            </LinkText>
          </List.Item>
        ))}
      </List>
    </Notice>
  )
}
