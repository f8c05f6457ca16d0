import { useNavigate, useParams } from '@tanstack/react-router'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { LinkText } from '../../components/links.tsx'
import { Page, Section } from '../../components/page.tsx'
import { PageLoading } from '../../components/page-loading.tsx'
import { useChange } from '../../data/changes.ts'
import { type Entity, useEntity } from '../../data/queries.ts'
import { StackNotice } from '../../layouts/stack-notice.tsx'
import type { Source } from './kinds.ts'
import { SourceForm } from './source-form.tsx'
import { savePayload, valuesOf } from './source-values.ts'

export function EditSourcePage() {
  const { workspace, source } = useParams({ from: '/shell/w/$workspace/sources/$source/edit' })
  const { data, error, refetch } = useEntity('getCustomSource', { fullname: source })
  if (!data) return error ? <ErrorNotice error={error} retry={() => void refetch()} /> : <PageLoading />
  return (
    <Page
      title={`Edit ${data.view.meta.title}`}
      about="Saving restarts the source."
      breadcrumb={
        <LinkText to="/w/$workspace/sources/$source" params={{ workspace, source }}>
          {data.view.meta.title}
        </LinkText>
      }
      isNarrow
    >
      <StackNotice workspace={workspace} kind="source" name={source} labels={data.view.labels} isEdited />
      <Section>
        <EditForm entity={data} />
      </Section>
    </Page>
  )
}

function EditForm({ entity: { view, tag } }: { entity: Entity<Source> }) {
  const navigate = useNavigate()
  const { fullname, workspace } = view
  const save = useChange('saveCustomSource', {
    notice: 'Source saved. It is restarting.',
    refetches: ['triggers'],
    after: () => navigate({ to: '/w/$workspace/sources/$source', params: { workspace, source: fullname } }),
  })
  return (
    <SourceForm
      workspace={workspace}
      initial={valuesOf(view)}
      version={tag}
      verb="Save and restart"
      save={(values, version) =>
        save.mutateAsync({
          fullname,
          body: savePayload(values, { fullname, workspace, mode: 'update' }, view.meta.icons),
          ...(version !== undefined && { ifMatch: version }),
        })
      }
    />
  )
}
