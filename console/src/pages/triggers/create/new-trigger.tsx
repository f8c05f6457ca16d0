import { Radio, Select, Stack, Text, TextInput } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { isTriggerName } from '@tocsin/contract'
import { useState } from 'react'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { IconProject } from '../../../components/icons.tsx'
import { LinkButton, LinkText } from '../../../components/links.tsx'
import { Page, Section } from '../../../components/page.tsx'
import { PageLoading } from '../../../components/page-loading.tsx'
import { Label } from '../../../components/status.tsx'
import type { Item } from '../../../data/api.ts'
import { chainTitle } from '../../../data/chains.ts'
import { useApiList } from '../../../data/lists.ts'
import { useApiQuery } from '../../../data/queries.ts'
import { useWorkspace } from '../../../data/workspace.ts'
import { FormFooter } from '../../../forms/form-footer.tsx'
import { KeptFormNotice } from '../../../forms/kept-form-notice.tsx'
import { nameFrom } from '../../../forms/names.ts'
import { useForm } from '../../../forms/use-form.ts'
import { NotSeen } from '../../../layouts/not-seen.tsx'
import { type CoreAction, type Definition, startFrom } from '../model/definition.ts'
import { kindOf, sourceOf } from '../model/spec-kinds.ts'
import classes from './action-cards.module.css'
import { useNewDraft } from './use-new-draft.ts'

export function NewTriggerPage() {
  const { fullname: workspace } = useWorkspace()
  const projects = useApiList('listProjects', { query: { workspace } })
  const sources = useApiList('listRuntimeSources', {})
  const { data: catalogue, error } = useApiQuery('listCoreActions', {})
  if (projects.isLoading || sources.isLoading || (!catalogue && !error)) return <PageLoading />
  return (
    <Page
      title="New trigger"
      about="Choose a starting point. You can change everything except the name later. The trigger runs after you publish it."
      breadcrumb={
        <LinkText to="/w/$workspace/triggers" params={{ workspace }}>
          Triggers
        </LinkText>
      }
      actions={
        <LinkButton to="/w/$workspace/watch/address" params={{ workspace }} variant="default">
          Watch an address
        </LinkButton>
      }
    >
      <ErrorNotice error={error ?? projects.error} />
      {projects.items.length === 0 ? (
        <EmptyState
          icon={IconProject}
          title="Create a project first"
          text="A trigger belongs to a project, and this workspace has none."
        >
          <LinkButton to="/w/$workspace/projects/new" params={{ workspace }}>
            Create project
          </LinkButton>
        </EmptyState>
      ) : (
        <NewTriggerForm
          projects={projects.items.map(({ fullname }) => fullname)}
          actions={catalogue?.actions ?? []}
          sources={sources.items}
        />
      )}
    </Page>
  )
}

type NewTriggerFormProps = { projects: string[]; actions: CoreAction[]; sources: Item<'listRuntimeSources'>[] }

function NewTriggerForm({ projects, actions, sources }: NewTriggerFormProps) {
  const { fullname: workspace } = useWorkspace()
  const { project = projects[0] ?? '' } = useSearch({ from: '/shell/w/$workspace/triggers/new' })
  const [type, setType] = useState<string>()
  const [isNamed, setNamed] = useState(false)
  const start = useNewDraft()
  const form = useForm({
    initial: { title: '', name: '', project, description: '' },
    check: ({ title, name }) => [
      ...(title.trim() === '' ? [{ path: 'title', message: 'Enter a title' }] : []),
      ...(isTriggerName(name) ? [] : [{ path: 'name', message: 'Use letters, digits, hyphens and underscores.' }]),
    ],
    save: (values) => {
      const action = actions.find((each) => each.type === type)
      return start(withRunningSource(startFrom(action, { ...values, workspace }), sources))
    },
    keep: { name: `trigger ${workspace}` },
  })
  const choose = (action: CoreAction | undefined) => {
    setType(action?.type)
    if (isNamed) return
    form.set('title', action?.title ?? '')
    form.set('name', nameFrom(action?.title ?? ''))
    form.set('description', action?.description ?? '')
  }
  const title = form.text('title')
  const name = form.text('name')
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack gap="lg">
        <KeptFormNotice form={form} />
        <ActionCards actions={actions} chosen={type} choose={choose} />
        <NotSeen sentences={actions.find((each) => each.type === type)?.notSeen ?? []} />
        <Section title="Name">
          <Stack gap="md" maw={560}>
            <TextInput
              label="Title"
              {...title}
              onChange={(event) => {
                title.onChange(event)
                setNamed(true)
                if (nameFrom(form.values.title) === form.values.name)
                  form.set('name', nameFrom(event.currentTarget.value))
              }}
            />
            <Select
              label="Project"
              data={projects}
              value={form.values.project}
              onChange={(chosen) => chosen && form.set('project', chosen)}
              allowDeselect={false}
              searchable
            />
            <TextInput label="Name" description="The name cannot be changed later." spellCheck={false} {...name} />
            <Text size="sm" c="dimmed">
              Full name: <span className="mono">{`${form.values.project}.${form.values.name || '…'}`}</span>
            </Text>
            <FormFooter
              failure={form.failure}
              isSaving={form.isSaving}
              verb="Create draft"
              shownElsewhere={(path) => /title|name/.test(path)}
            />
          </Stack>
        </Section>
      </Stack>
    </form>
  )
}

/** Starting points use a public network. If it is not running here, this chooses a running source of the same kind. */
function withRunningSource(definition: Definition, sources: Item<'listRuntimeSources'>[]): Definition {
  const { triggerSpec } = definition
  const ofKind = sources.filter(({ kind }) => kind === kindOf(triggerSpec))
  const isRunning = ({ status }: { status: string }) => status === 'running'
  const named = ofKind.find(({ fullname }) => fullname === sourceOf(triggerSpec))
  const ready = ofKind.find(isRunning)
  if (!ready || (named && isRunning(named))) return definition
  return { ...definition, triggerSpec: { ...triggerSpec, dataSource: ready.fullname } }
}

const scratch = 'from-scratch'
type ActionCardsProps = {
  actions: CoreAction[]
  chosen: string | undefined
  choose: (action: CoreAction | undefined) => void
}

/** Starting points as a radio group, so that arrow keys move between them. */
function ActionCards({ actions, chosen, choose }: ActionCardsProps) {
  return (
    <Radio.Group
      label="Start from"
      value={chosen ?? scratch}
      onChange={(value) => choose(actions.find(({ type }) => type === value))}
    >
      <div className={classes.grid}>
        <Card value={scratch} title="From scratch" text="An empty definition." />
        {actions.map(({ type, title, description, kind }) => (
          <Card key={type} value={type} title={title} text={description} kind={kind} />
        ))}
      </div>
    </Radio.Group>
  )
}

function Card({ value, title, text, kind }: { value: string; title: string; text: string; kind?: string }) {
  return (
    <Radio.Card value={value} className={classes.card} aria-label={title}>
      <span className={classes.head}>
        <Text component="span" fw={600}>
          {title}
        </Text>
        {kind && <Label>{chainTitle(kind)}</Label>}
      </span>
      <Text component="span" size="sm" c="dimmed">
        {text}
      </Text>
    </Radio.Card>
  )
}
