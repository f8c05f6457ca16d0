import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { LinkText } from '../../components/links.tsx'
import { Page, Section } from '../../components/page.tsx'
import { firstChain } from '../../data/chains.ts'
import { useChange } from '../../data/changes.ts'
import { useWorkspace } from '../../data/workspace.ts'
import { SourceForm } from './source-form.tsx'
import { emptySource, savePayload } from './source-values.ts'

export function NewSourcePage() {
  const { fullname: workspace } = useWorkspace()
  const navigate = useNavigate()
  const [initial] = useState(() => emptySource(firstChain().kind))
  const save = useChange('saveCustomSource', {
    notice: 'Source created. It is starting.',
    refetches: ['triggers'],
    after: ({ fullname }) => navigate({ to: '/w/$workspace/sources/$source', params: { workspace, source: fullname } }),
  })
  return (
    <Page
      title="New source"
      about="A network to follow through your RPC endpoints."
      breadcrumb={
        <LinkText to="/w/$workspace/sources" params={{ workspace }}>
          Sources
        </LinkText>
      }
      isNarrow
    >
      <Section>
        <SourceForm
          workspace={workspace}
          initial={initial}
          isNew
          verb="Create source"
          save={(values) => {
            const fullname = `${workspace}.${values.name}`
            return save.mutateAsync({ fullname, body: savePayload(values, { fullname, workspace, mode: 'create' }) })
          }}
        />
      </Section>
    </Page>
  )
}
