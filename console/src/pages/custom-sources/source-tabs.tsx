import { PageTabs } from '../../parts/page-tabs.tsx'

export function SourceTabs({ workspace }: { workspace: string }) {
  return (
    <PageTabs
      label="Sources"
      tabs={[
        { title: 'Of this workspace', link: { to: '/w/$workspace/sources', params: { workspace } } },
        { title: 'All that triggers can use', link: { to: '/w/$workspace/sources/runtime', params: { workspace } } },
      ]}
    />
  )
}
