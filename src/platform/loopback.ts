/** Whether a host, as in an address or given to listen on, can only mean this machine; IPv6 with or without brackets. */
export const isLoopback = (host: string): boolean =>
  /^(?:localhost|.+\.localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\]|::1)$/i.test(host);
