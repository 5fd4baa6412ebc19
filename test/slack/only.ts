/** Of a service what a test has; the rest is not to be called. */
export function only<Service>(part: Partial<NoInfer<Service>>): Service {
  return part as Service;
}
