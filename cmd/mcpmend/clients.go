package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"mcpmend/core/config"
)

// knownClient refuses an id that is not in the client table.
func knownClient(id string) error {
	if id == "" || config.ClientByID(id) != nil {
		return nil
	}
	var ids []string
	for _, c := range config.Clients() {
		ids = append(ids, c.ID)
	}
	return hint(fmt.Errorf("no client is called %q", id), "%smcpmend rules --clients lists them all", didYouMean(id, ids))
}

func listClients(cmd *cobra.Command) error {
	w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 8, 2, ' ', 0)
	for _, c := range config.Clients() {
		fmt.Fprintf(w, "%s\t%s\n", c.ID, c.Name)
	}
	return w.Flush()
}
