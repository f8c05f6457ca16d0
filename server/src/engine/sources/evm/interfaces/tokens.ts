import type { BundledInterface } from './bundled-interface.ts'

export const erc20: BundledInterface = {
  name: 'ERC-20',
  lines: [
    'event Transfer(address indexed from, address indexed to, uint256 value)',
    'event Approval(address indexed owner, address indexed spender, uint256 value)',
    'function transfer(address to, uint256 value) returns (bool)',
    'function transferFrom(address from, address to, uint256 value) returns (bool)',
    'function approve(address spender, uint256 value) returns (bool)',
    'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
    'function mint(address to, uint256 amount)',
    'function burn(uint256 amount)',
    'function decimals() view returns (uint8)',
    'function totalSupply() view returns (uint256)',
    'function allowance(address owner, address spender) view returns (uint256)',
  ],
}

export const erc721: BundledInterface = {
  name: 'ERC-721',
  lines: [
    'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
    'event Approval(address indexed owner, address indexed approved, uint256 indexed tokenId)',
    'event ApprovalForAll(address indexed owner, address indexed operator, bool approved)',
    'function safeTransferFrom(address from, address to, uint256 tokenId)',
    'function safeTransferFrom(address from, address to, uint256 tokenId, bytes data)',
    'function setApprovalForAll(address operator, bool approved)',
    'function ownerOf(uint256 tokenId) view returns (address)',
    'function getApproved(uint256 tokenId) view returns (address)',
    'function tokenURI(uint256 tokenId) view returns (string)',
  ],
}

export const erc1155: BundledInterface = {
  name: 'ERC-1155',
  lines: [
    'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
    'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
    'event URI(string value, uint256 indexed id)',
    'function safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes data)',
    'function safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] values, bytes data)',
    'function balanceOfBatch(address[] accounts, uint256[] ids) view returns (uint256[])',
  ],
}

export const wrappedNative: BundledInterface = {
  name: 'Wrapped native token',
  lines: [
    'event Deposit(address indexed dst, uint256 wad)',
    'event Withdrawal(address indexed src, uint256 wad)',
    'function deposit() payable',
    'function withdraw(uint256 wad)',
  ],
}

export const erc4626: BundledInterface = {
  name: 'ERC-4626',
  lines: [
    'event Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares)',
    'event Withdraw(address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares)',
    'function deposit(uint256 assets, address receiver) returns (uint256)',
    'function mint(uint256 shares, address receiver) returns (uint256)',
    'function withdraw(uint256 assets, address receiver, address owner) returns (uint256)',
    'function redeem(uint256 shares, address receiver, address owner) returns (uint256)',
    'function asset() view returns (address)',
    'function totalAssets() view returns (uint256)',
    'function convertToShares(uint256 assets) view returns (uint256)',
  ],
}

export const votes: BundledInterface = {
  name: 'Votes',
  lines: [
    'event DelegateChanged(address indexed delegator, address indexed fromDelegate, address indexed toDelegate)',
    'event DelegateVotesChanged(address indexed delegate, uint256 previousVotes, uint256 newVotes)',
    'function delegate(address delegatee)',
  ],
}
