const KEY = 'asg-lab-token';

// The token of this run, taken out of the address bar so that it is not copied or shown by accident; a reload
// finds it in the storage of this tab.
export function takeToken(): string {
  const address = new URL(window.location.href);
  const given = address.searchParams.get('token');
  if (given !== null) {
    sessionStorage.setItem(KEY, given);
    address.searchParams.delete('token');
    window.history.replaceState(null, '', address.pathname + address.search + address.hash);
    return given;
  }
  return sessionStorage.getItem(KEY) ?? '';
}

export function socketAddress(token: string): string {
  const scheme = window.location.protocol === 'https:' ? 'wss' : 'ws';
  return `${scheme}://${window.location.host}/ws?token=${encodeURIComponent(token)}`;
}
