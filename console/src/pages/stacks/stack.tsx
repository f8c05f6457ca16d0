import { Stack, Text, Title } from '@mantine/core'
import { type LinkProps, useParams } from '@tanstack/react-router'
import type { DefinitionKind } from '@tocsin/contract'
import { useMemo } from 'react'
import { DiffList } from '../../components/diff-list.tsx'
import { LinkText } from '../../components/links.tsx'
import { PageFailure } from '../../components/loaded.tsx'
import { Page, Section } from '../../components/page.tsx'
import { PageLoading } from '../../components/page-loading.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Status } from '../../components/status.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import type { Column, Facet } from '../../components/table/table-model.ts'
import type { Body } from '../../data/api.ts'
import { useApiQuery } from '../../data/queries.ts'
import { atLeast, useWorkspace } from '../../data/workspace.ts'

type Entity = Body<'getStack'>['entities'][number]
type Drift = Body<'planStack'>['drift'][number]

/** The names that the console uses. */
const kindLabels: Record<DefinitionKind, string> = {
  project: 'Project',
  trigger: 'Trigger',
  template: 'Template',
  resource: 'Destination',
  source: 'Source',
  subscription: 'Subscription',
  'address-list': 'Address list',
}

function isSame(one: Pick<Entity, 'kind' | 'fullname'>, other: Pick<Entity, 'kind' | 'fullname'>): boolean {
  return one.kind === other.kind && one.fullname === other.fullname
}

/** The name of an entity as a link to its page. */
function EntityName({ workspace, entity }: { workspace: string; entity: Entity }) {
  const { fullname } = entity
  const link = linkTo(workspace, entity)
  return link ? (
    <LinkText {...link} className="mono">
      {fullname}
    </LinkText>
  ) : (
    <span className="mono">{fullname}</span>
  )
}

function linkTo(workspace: string, { kind, fullname, id, project }: Entity): LinkProps | undefined {
  switch (kind) {
    case 'project':
      return { to: '/w/$workspace/projects/$project', params: { workspace, project: fullname } }
    case 'trigger':
      return { to: '/w/$workspace/triggers/$trigger', params: { workspace, trigger: fullname } }
    case 'resource':
      return { to: '/w/$workspace/resources/$resource', params: { workspace, resource: fullname } }
    case 'source':
      return { to: '/w/$workspace/sources/$source', params: { workspace, source: fullname } }
    case 'address-list':
      return { to: '/w/$workspace/address-lists', params: { workspace } }
    case 'subscription':
      return id === undefined
        ? undefined
        : { to: '/w/$workspace/subscriptions/$subscription', params: { workspace, subscription: id } }
    case 'template':
      return id === undefined || project === undefined
        ? undefined
        : { to: '/w/$workspace/projects/$project/templates/$template', params: { workspace, project, template: id } }
  }
}

const facets: Facet<Entity>[] = [
  {
    label: 'Kind',
    value: ({ kind }) => kind,
    options: Object.entries(kindLabels).map(([value, label]) => ({ value, label })),
  },
]

/** The definitions that a stack manages. */
function EntityTable({ workspace, entities, drift }: { workspace: string; entities: Entity[]; drift: Drift[] }) {
  const columns = useMemo(() => columnsFor(workspace, drift), [workspace, drift])
  const list = {
    items: entities,
    isLoading: false,
    error: null,
    hasMore: false,
    isLoadingMore: false,
    loadMore: () => undefined,
    reload: () => undefined,
  }
  return (
    <DataTable
      label="Definitions"
      list={list}
      columns={columns}
      facets={facets}
      rowKey={({ kind, fullname }) => `${kind} ${fullname}`}
      empty={null}
    />
  )
}

function columnsFor(workspace: string, drift: Drift[]): Column<Entity>[] {
  const isChanged = (entity: Entity) => drift.some((changed) => isSame(changed, entity))
  return [
    { key: 'kind', header: 'Kind', value: ({ kind }) => kindLabels[kind] },
    {
      key: 'name',
      header: 'Name',
      value: ({ fullname }) => fullname,
      cell: (entity) => <EntityName workspace={workspace} entity={entity} />,
    },
    {
      key: 'drift',
      header: 'Since the last apply',
      value: (entity) => (isChanged(entity) ? 'Changed' : 'Unchanged'),
      cell: (entity) =>
        isChanged(entity) ? <Status value="warning" label="Changed" /> : <Status value="ok" label="Unchanged" />,
    },
  ]
}

/** A stack: which definitions it manages, and what was changed in them since the last apply. */
export function StackPage() {
  const { workspace, stack } = useParams({ from: '/shell/w/$workspace/stacks/$stack' })
  const { level } = useWorkspace()
  const contents = useApiQuery('getStack', { fullname: workspace, stack })
  // A plan without entities shows only the drift. The notice on the pages of the entities asks the same.
  const plan = useApiQuery('planStack', { fullname: workspace, body: { stack, entities: [] } })
  const error = contents.error ?? plan.error
  if (!contents.data || !plan.data) {
    const retry = () => void Promise.all([contents.refetch(), plan.refetch()])
    return error ? <PageFailure title={stack} error={error} retry={retry} /> : <PageLoading />
  }
  const { drift } = plan.data
  return (
    <Page
      title={stack}
      about={<About contents={contents.data} />}
      breadcrumb={
        <LinkText to="/w/$workspace/stacks" params={{ workspace }}>
          Stacks
        </LinkText>
      }
    >
      {atLeast(level, 'developer') ? (
        <DriftSection workspace={workspace} drift={drift} entities={contents.data.entities} />
      ) : (
        <Section title="Drift">
          <Text c="dimmed">Developers of this workspace see what was changed since the last apply.</Text>
        </Section>
      )}
      <EntityTable workspace={workspace} entities={contents.data.entities} drift={drift} />
    </Page>
  )
}

function About({ contents: { entitiesCount, appliedAt } }: { contents: Body<'getStack'> }) {
  const count = `${entitiesCount} ${entitiesCount === 1 ? 'definition' : 'definitions'}`
  if (appliedAt === null) return `${count}, never applied`
  return (
    <>
      {count}, last applied <RelativeTime at={appliedAt} />
    </>
  )
}

type DriftSectionProps = { workspace: string; drift: Drift[]; entities: Entity[] }

/** What others changed since the last apply, field by field. */
function DriftSection({ workspace, drift, entities }: DriftSectionProps) {
  if (drift.length === 0)
    return (
      <Section title="Drift">
        <Status value="ok" label="Every definition is as the last apply wrote it." />
      </Section>
    )
  return (
    <Section
      title="Drift"
      about={
        <>
          Changed since the last apply. <code>tocsin pull</code> writes these changes into the files,{' '}
          <code>tocsin apply</code> takes them back.
        </>
      }
    >
      <Stack gap="lg">
        {drift.map((changed) => (
          <DriftOfEntity
            key={`${changed.kind} ${changed.fullname}`}
            workspace={workspace}
            drift={changed}
            entity={entities.find((entity) => isSame(entity, changed))}
          />
        ))}
      </Stack>
    </Section>
  )
}

type DriftOfEntityProps = { workspace: string; drift: Drift; entity: Entity | undefined }

function DriftOfEntity({ workspace, drift: { kind, fullname, diff }, entity }: DriftOfEntityProps) {
  const name = `${kindLabels[kind]} ${fullname}`
  return (
    <Stack gap="xs" component="section" aria-label={name}>
      <Title order={3}>
        {kindLabels[kind]} {entity ? <EntityName workspace={workspace} entity={entity} /> : fullname}
      </Title>
      {entity ? (
        <DiffList
          label={`Changes of ${fullname}`}
          differences={diff.map(({ path, from, to }) => ({ title: path, from: textOf(from), to: textOf(to) }))}
        />
      ) : (
        <Text size="sm">It was deleted, or taken out of the stack.</Text>
      )}
    </Stack>
  )
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}
