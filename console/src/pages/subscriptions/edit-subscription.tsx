import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useEntity } from '../../data/queries.ts'
import { LinkText } from '../../parts/link-text.tsx'
import { Page } from '../../parts/page.tsx'
import { PageFailure } from '../../parts/page-failure.tsx'
import { PageLoading } from '../../shell/page-loading.tsx'
import { nameOf } from './types.ts'
import { draftOf } from './wizard/draft.ts'
import { Wizard } from './wizard/wizard.tsx'

export function EditSubscriptionPage() {
  const { workspace, subscription: id } = useParams({ from: '/shell/w/$workspace/subscriptions/$subscription/edit' })
  const { data, error, refetch } = useEntity('getSubscription', { id })
  // The version that the form began with: what is read again after a save must not throw the form away.
  const [begun, setBegun] = useState(data)
  if (data && !begun) setBegun(data)
  if (!begun)
    return error ? <PageFailure title="Subscription" error={error} retry={() => void refetch()} /> : <PageLoading />
  return (
    <Page
      title={`Edit ${nameOf(begun.view)}`}
      above={
        <LinkText to="/w/$workspace/subscriptions/$subscription" params={{ workspace, subscription: id }}>
          {nameOf(begun.view)}
        </LinkText>
      }
      isNarrow
    >
      <Wizard key={id} workspace={workspace} initial={draftOf(begun.view)} editing={begun} />
    </Page>
  )
}
