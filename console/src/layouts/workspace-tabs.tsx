import { PageTabs, type Tab } from '../components/page.tsx'
import { atLeast, useWorkspace } from '../data/workspace.ts'

/** The pages below Settings. */
export function WorkspaceTabs({ workspace }: { workspace: string }) {
  const { level } = useWorkspace()
  const audit: Tab = { title: 'Audit log', link: { to: '/w/$workspace/audit', params: { workspace } } }
  return (
    <PageTabs
      label="Workspace"
      tabs={[
        { title: 'Settings', link: { to: '/w/$workspace/settings', params: { workspace } } },
        { title: 'Members', link: { to: '/w/$workspace/members', params: { workspace } } },
        { title: 'Transfers', link: { to: '/w/$workspace/transfers', params: { workspace } } },
        ...(atLeast(level, 'admin') ? [audit] : []),
      ]}
    />
  )
}
