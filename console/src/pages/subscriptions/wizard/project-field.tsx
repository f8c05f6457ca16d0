import { Button, Group, Radio, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import cards from '../../../components/choice-cards.module.css'
import { IconProject, IconSearch } from '../../../components/icons.tsx'
import { LinkButton } from '../../../components/link-button.tsx'
import { Label } from '../../../components/status.tsx'
import { ListError } from '../../../components/table/list-error.tsx'
import { useApiList } from '../../../data/lists.ts'
import { FirstStepsState } from '../../../layouts/first-steps-state.tsx'
import { ProjectMark } from '../../../layouts/project/project-mark.tsx'
import { emptyDraft, noConditions } from '../model/draft.ts'
import type { StepProps } from './step-props.ts'

const pageSize = 12

/** Chooses a project: projects of the workspace first, then public ones. */
export function ProjectField({ workspace, draft, change, errorOf }: StepProps) {
  const [text, setText] = useState('')
  const [shown, setShown] = useState(pageSize)
  const list = useApiList('listProjects', {})
  if (list.error && list.items.length === 0) return <ListError list={list} />
  if (list.isLoading) return <Skeleton height={180} />
  if (list.items.length === 0) return <NoProjects workspace={workspace} />
  const wanted = text.trim().toLowerCase()
  const found = list.items
    .filter(({ fullname, meta }) =>
      `${fullname} ${meta.title} ${meta.shortDescription ?? ''}`.toLowerCase().includes(wanted),
    )
    .sort((a, b) => Number(b.workspace === workspace) - Number(a.workspace === workspace))
  const choose = (project: string) => {
    const { template, topics, trigger, values } = emptyDraft
    if (project !== draft.project) change({ project, template, topics, trigger, values, ...noConditions })
  }
  return (
    <Stack gap="sm">
      <ListError list={list} />
      <TextInput
        leftSection={<IconSearch size={16} />}
        placeholder="Search projects"
        aria-label="Search projects"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Radio.Group aria-label="Project" value={draft.project} onChange={choose} error={errorOf('project')}>
        <div className={cards.cards} data-list>
          {found.slice(0, shown).map((project) => {
            const { fullname, meta, workspace: owner, ownerTitle, counts } = project
            return (
              <Radio.Card key={fullname} value={fullname} className={cards.card} aria-label={meta.title}>
                <Group wrap="nowrap" gap="sm">
                  <ProjectMark project={project} />
                  <div>
                    <Group gap={8}>
                      <Text fw={550}>{meta.title}</Text>
                      {owner === workspace ? <Label>This workspace</Label> : <Label>{ownerTitle ?? owner}</Label>}
                    </Group>
                    <Text size="sm" c="dimmed">
                      {meta.shortDescription ?? `${counts.triggers} ${counts.triggers === 1 ? 'trigger' : 'triggers'}`}
                    </Text>
                  </div>
                </Group>
              </Radio.Card>
            )
          })}
        </div>
      </Radio.Group>
      {found.length === 0 && <Text c="dimmed">No matches.</Text>}
      {(found.length > shown || list.hasMore) && (
        <Button
          variant="default"
          loading={list.isLoadingMore}
          onClick={() => (found.length > shown ? setShown(shown + pageSize) : list.loadMore())}
        >
          Show more
        </Button>
      )}
    </Stack>
  )
}

function NoProjects({ workspace }: { workspace: string }) {
  return (
    <FirstStepsState
      icon={IconProject}
      title="No projects yet"
      text="Create a project with a trigger, or start with a timer in the first steps."
    >
      <LinkButton to="/w/$workspace/projects" params={{ workspace }} variant="default">
        Go to projects
      </LinkButton>
    </FirstStepsState>
  )
}
