package config

// clients is the table behind [Clients]. Its rows stand in clients_*.go,
// grouped by the kind of program.
var clients = []*Client{&generic}

// generic accepts what any client accepts, and judges nothing.
var generic = Client{ID: "generic", Name: "unknown client", Certainty: Low}
