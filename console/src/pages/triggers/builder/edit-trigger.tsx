import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { LinkText } from '../../../components/links.tsx'
import { Page } from '../../../components/page.tsx'
import { PageLoading } from '../../../components/page-loading.tsx'
import { useApiList } from '../../../data/lists.ts'
import { type Entity, useEntity } from '../../../data/queries.ts'
import type { Trigger } from '../model/definition.ts'
import { BuilderView } from './builder.tsx'

/** Opens the draft, or the published version if there is no draft. Later changes by others do not reset the builder. */
export function EditTriggerPage() {
  const { workspace, trigger } = useParams({ from: '/shell/w/$workspace/triggers/$trigger/edit' })
  const draft = useEntity('getTriggerDraft', { fullname: trigger })
  const project = draft.data?.view.project
  const list = useApiList('listTriggers', { query: { project } }, { enabled: project !== undefined })
  const error = draft.error ?? list.error
  if (error && !draft.data)
    return (
      <Page
        title="Trigger"
        breadcrumb={
          <LinkText to="/w/$workspace/triggers" params={{ workspace }}>
            Triggers
          </LinkText>
        }
      >
        <ErrorNotice error={error} retry={() => void draft.refetch()} />
      </Page>
    )
  const { data } = draft
  if (!data || list.isLoading) return <PageLoading />
  const isPublished = list.items.some(({ fullname }) => fullname === data.view.fullname)
  return <OpenedBuilder key={trigger} draft={data} isPublished={isPublished} />
}

/** Decides once, when it is opened: somebody else's publishing must not close the builder and drop what is typed in it. */
function OpenedBuilder({ draft, isPublished }: { draft: Entity<Trigger>; isPublished: boolean }) {
  const [wasPublished] = useState(isPublished)
  return wasPublished ? <WithPublished draft={draft} /> : <BuilderView draft={draft} published={undefined} />
}

function WithPublished({ draft }: { draft: Entity<Trigger> }) {
  const published = useEntity('getTrigger', { fullname: draft.view.fullname })
  if (published.error && !published.data)
    return <ErrorNotice error={published.error} retry={() => void published.refetch()} />
  if (!published.data) return <PageLoading />
  return <BuilderView draft={draft} published={published.data} />
}
