package main

import (
	"fmt"

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

func listClients(cmd *cobra.Command, format form) error {
	if format == asJSON {
		type client struct {
			ID   string `json:"id"`
			Name string `json:"name"`
		}
		var list []client
		for _, c := range config.Clients() {
			list = append(list, client{c.ID, c.Name})
		}
		return showJSON(cmd, list)
	}
	var rows [][]string
	for _, c := range config.Clients() {
		rows = append(rows, []string{c.ID, c.Name})
	}
	return showTable(cmd, rows)
}
